package dev.tutti.host.status;

import dev.tutti.sdk.Arguments;

/**
 * The use of an algorithm, over all groups of a context and all versions of its plugin.
 *
 * @param operation for example {@code "allreduce"}; {@code "capture"} in the line of all captures,
 *     whose operations count with their algorithms, too, but without time
 * @param algorithm the qualified name; empty in the line of captures
 * @param calls runs that were complete; a capture is one of each of its operations
 * @param bytes the sizes of one rank's messages of these runs together
 * @param nanos the time of the runs; 0 unless the flight record is kept
 * @param waitedNanos the time that calls of ranks waited until the last rank had called, of all
 *     ranks together; 0 unless the flight record is kept
 * @param failures runs that failed, and those that were not done in time
 */
public record AlgorithmUse(
    String operation,
    String algorithm,
    long calls,
    long bytes,
    long nanos,
    long waitedNanos,
    long failures) {
  /** Checks that nothing is null. */
  public AlgorithmUse {
    Arguments.require(operation, "operation");
    Arguments.require(algorithm, "algorithm");
  }
}
