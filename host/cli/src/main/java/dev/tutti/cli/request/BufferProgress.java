package dev.tutti.cli.request;

/** Hears how many bytes of all buffers a step has gone over. */
@FunctionalInterface
public interface BufferProgress {

  /** Hears nothing. */
  BufferProgress NONE = (doneBytes, allBytes, what) -> {};

  /**
   * A part is done.
   *
   * @param what what happens to the bytes, for example {@code "compared"}
   */
  void done(long doneBytes, long allBytes, String what);
}
