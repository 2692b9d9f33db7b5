package dev.tutti.host.watch;

/**
 * What is run, in words and numbers alone, so that keeping it keeps no plugin.
 *
 * @param group the number of the group
 * @param operation for example {@code "allreduce"}; {@code "capture"} for several
 * @param call the operation with its numbers, in words
 * @param dataType the type of the elements; empty for a capture
 * @param bytes the size of the message of one rank, by which algorithms are chosen; of a capture,
 *     those of its operations together
 * @param ranks the ranks of the group
 * @param algorithm the qualified name; of a capture, those of its operations
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

  /** The operation of {@link #ofCapture}. */
  public static final String CAPTURE = "capture";

  /** What a capture runs; bytes and algorithms are those of its operations. */
  public static RunFacts ofCapture(
      long group, String call, long bytes, int ranks, String algorithms) {
    return new RunFacts(group, CAPTURE, call, "", bytes, ranks, algorithms, "", "");
  }
}
