package dev.tutti.cli.request;

/** Receives the progress of a step: how many bytes of all buffers it has processed. */
@FunctionalInterface
public interface BufferProgress {

  /** Ignores progress. */
  BufferProgress NONE = (doneBytes, allBytes, what) -> {};

  /**
   * Reports that a part is done.
   *
   * @param what what the step did with the bytes, for example {@code "compared"}
   */
  void done(long doneBytes, long allBytes, String what);
}
