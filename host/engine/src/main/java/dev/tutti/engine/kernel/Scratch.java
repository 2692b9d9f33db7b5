package dev.tutti.engine.kernel;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Working memory of the calling thread that stays in its first-level cache between uses. */
final class Scratch {

  /** The size of a thread's scratch; with two sources of equal size it fits in a 32 KiB cache. */
  static final int BYTES = 8 << 10;

  private static final ThreadLocal<MemorySegment> OF_THREAD =
      ThreadLocal.withInitial(() -> Arena.ofAuto().allocate(BYTES, 64));

  private Scratch() {}

  /**
   * The scratch of the calling thread. Its contents are undefined; callers must not keep it or pass
   * it on.
   */
  static MemorySegment ofThread() {
    return OF_THREAD.get();
  }
}
