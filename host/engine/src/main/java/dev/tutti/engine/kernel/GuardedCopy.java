package dev.tutti.engine.kernel;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.lang.foreign.MemorySegment;

/**
 * Copies callers' memory whose pages can vanish, as those of a mapped file do when the file is cut
 * short or its disk is full.
 */
public final class GuardedCopy {

  /*
   * Such an access raises SIGBUS. The JVM survives that in its own copies alone: it leaves the copy
   * and throws an InternalError, not from there, but when the thread next asks whether anything is
   * to be thrown. Compiled code asks rarely, so the error might come up anywhere later, even in
   * another run. A thread that comes back from a native method asks at once.
   */

  private static final Object ANY = new Object();

  private GuardedCopy() {}

  /**
   * Copies bytes between two segments; what went wrong is known when this returns.
   *
   * @throws TuttiException with {@link ErrorCode#RUN_FAILED} if a page of a mapped file is not
   *     there, {@link ErrorCode#BUFFER_UNAVAILABLE} if an arena is closed or confined to another
   *     thread; the destination may then be partly written
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
