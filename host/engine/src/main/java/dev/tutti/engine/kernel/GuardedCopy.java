package dev.tutti.engine.kernel;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.lang.foreign.MemorySegment;

/**
 * Copies callers' memory whose pages can vanish, for example those of a mapped file when the file
 * is truncated or its disk is full.
 */
public final class GuardedCopy {

  /*
   * An access to a vanished page raises SIGBUS. The JVM survives that only in its own copies: it
   * leaves the copy and throws an InternalError, but only when the thread next checks for pending
   * exceptions. Compiled code checks rarely, so the error might appear anywhere later, even in
   * another run. A thread that returns from a native method checks at once.
   */

  private static final Object ANY = new Object();

  private GuardedCopy() {}

  /**
   * Copies bytes between two segments; all errors are thrown before this returns.
   *
   * @throws TuttiException with {@link ErrorCode#RUN_FAILED} if a page of a mapped file is missing,
   *     {@link ErrorCode#BUFFER_UNAVAILABLE} if an arena is closed or confined to another thread;
   *     the destination may then be partly written
   */
  public static void copy(
      MemorySegment dst, long dstOffset, MemorySegment src, long srcOffset, long bytes) {
    try {
      MemorySegment.copy(src, srcOffset, dst, dstOffset, bytes);
      boolean ignored = Thread.holdsLock(ANY);
    } catch (InternalError e) {
      throw new TuttiException(
          ErrorCode.RUN_FAILED,
          e,
          "a page of a buffer in a mapped file could not be read or written: the file was cut short,"
              + " or its disk is full; give a file that keeps its length and has all its blocks, or"
              + " ordinary memory");
    } catch (WrongThreadException e) {
      throw new TuttiException(
          ErrorCode.BUFFER_UNAVAILABLE,
          e,
          "a buffer is in a confined arena of another thread; run the request there, or use a"
              + " shared arena");
    } catch (IllegalStateException e) {
      throw new TuttiException(
          ErrorCode.BUFFER_UNAVAILABLE,
          e,
          "the memory of a buffer was freed during the run; keep its arena open until the run has"
              + " ended");
    }
  }
}
