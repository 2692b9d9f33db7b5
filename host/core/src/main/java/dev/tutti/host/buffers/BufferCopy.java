package dev.tutti.host.buffers;

import dev.tutti.engine.kernel.GuardedCopy;
import java.lang.foreign.MemorySegment;

/** Bytes that are copied before or after a run, because they are not used where they are. */
public record BufferCopy(MemorySegment from, MemorySegment to) {

  public boolean isLike(BufferCopy other) {
    return SegmentComparison.isSameView(from, other.from)
        && SegmentComparison.isSameView(to, other.to);
  }

  /**
   * Copies.
   *
   * @throws dev.tutti.sdk.TuttiException if a buffer's memory is not there
   */
  public void run() {
    copy(from, to);
  }

  /** Copies one segment to another of the same size; arrays are always there. */
  public static void copy(MemorySegment from, MemorySegment to) {
    if (from.isNative() && to.isNative()) {
      GuardedCopy.copy(to, 0, from, 0, to.byteSize());
    } else {
      MemorySegment.copy(from, 0, to, 0, to.byteSize());
    }
  }
}
