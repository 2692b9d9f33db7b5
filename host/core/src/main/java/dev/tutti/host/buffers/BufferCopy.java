package dev.tutti.host.buffers;

import dev.tutti.engine.kernel.GuardedCopy;
import java.lang.foreign.MemorySegment;

/** A copy before or after a run, for a buffer that the plan does not use directly. */
public record BufferCopy(MemorySegment from, MemorySegment to) {

  public boolean isLike(BufferCopy other) {
    return SegmentComparison.isSameView(from, other.from)
        && SegmentComparison.isSameView(to, other.to);
  }

  /**
   * Copies.
   *
   * @throws dev.tutti.sdk.TuttiException if a buffer's memory is gone
   */
  public void run() {
    copy(from, to);
  }

  /**
   * Copies one segment to another of the same size. Only native memory can be gone; arrays always
   * exist.
   */
  public static void copy(MemorySegment from, MemorySegment to) {
    if (from.isNative() && to.isNative()) {
      GuardedCopy.copy(to, 0, from, 0, to.byteSize());
    } else {
      MemorySegment.copy(from, 0, to, 0, to.byteSize());
    }
  }
}
