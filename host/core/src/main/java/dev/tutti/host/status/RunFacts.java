package dev.tutti.host.status;

import dev.tutti.sdk.Arguments;

/**
 * The facts of a run as words and numbers only, so that keeping them does not keep a plugin loaded.
 *
 * @param group the number of the group
 * @param operation for example {@code "allreduce"}; {@code "capture"} for several
 * @param call the operation with its counts, in words
 * @param dataType the type of the elements; empty for a capture
 * @param bytes the size of the message of one rank, by which algorithms are chosen; for a capture,
 *     the sum over its operations
 * @param ranks the ranks of the group
 * @param algorithm the qualified name; for a capture, the names of its operations' algorithms
 * @param plugin the id of the plugin; empty for a capture
 * @param version the version of the plugin; empty for a capture
 */
public record RunFacts(
    long group,
    String operation,
    String call,
    String dataType,
    long bytes,
    int ranks,
    String algorithm,
    String plugin,
    String version) {

  /** Checks that nothing is null. */
  public RunFacts {
    Arguments.require(operation, "operation");
    Arguments.require(call, "call");
    Arguments.require(dataType, "dataType");
    Arguments.require(algorithm, "algorithm");
    Arguments.require(plugin, "plugin");
    Arguments.require(version, "version");
  }

  /** The operation of {@link #ofCapture}. */
  public static final String CAPTURE = "capture";

  /** The facts of a capture; bytes and algorithms are those of its operations. */
  public static RunFacts ofCapture(
      long group, String call, long bytes, int ranks, String algorithm) {
    return new RunFacts(group, CAPTURE, call, "", bytes, ranks, algorithm, "", "");
  }
}
