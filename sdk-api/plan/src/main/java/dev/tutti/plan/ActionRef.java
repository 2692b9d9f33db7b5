package dev.tutti.plan;

import dev.tutti.sdk.Arguments;

/**
 * An action of a plan, for messages and for tools.
 *
 * @param rank the rank that runs it
 * @param stream its stream, 0 for the main stream
 * @param action its number in the rank's plan; -1 for the caller before or after the operation, and
 *     for the border of a nested plan
 * @param text what it does, for example {@code "await FIN from rank 2"}
 * @param source the author's line that emitted it, as {@code Class.method(File.java:12)}, or {@code
 *     "?"}
 */
public record ActionRef(int rank, int stream, int action, String text, String source) {

  /** Refuses null. */
  public ActionRef {
    Arguments.require(text, "text");
    Arguments.require(source, "source");
  }

  @Override
  public String toString() {
    String at = source.equals("?") ? "" : " at " + source;
    return "rank " + rank + " stream " + stream + " '" + text + "'" + at;
  }
}
