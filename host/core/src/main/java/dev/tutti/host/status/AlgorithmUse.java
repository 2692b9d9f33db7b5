package dev.tutti.host.status;

import dev.tutti.sdk.Arguments;

/**
 * The use of an algorithm, over all groups of a context and all versions of its plugin.
 *
 * @param operation for example {@code "allreduce"}; {@code "capture"} in the entry for all
 *     captures. Operations of captures are also counted with their algorithms, but without time
 * @param algorithm the qualified name; empty in the entry for captures
 * @param calls completed runs; a run of a capture counts as a run of each of its operations
 * @param bytes the sum of one rank's message sizes over these runs
 * @param nanos the total time of the runs; 0 unless the flight record is kept
 * @param waitedNanos the time that calls of ranks waited until the last rank had called, summed
 *     over all ranks; 0 unless the flight record is kept
 * @param failures runs that failed or did not complete in time
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
