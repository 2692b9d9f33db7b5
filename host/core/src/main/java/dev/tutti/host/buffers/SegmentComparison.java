package dev.tutti.host.buffers;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** Compares segments. Their own {@code equals} ignores the size and the lifetime. */
public final class SegmentComparison {

  private SegmentComparison() {}

  /** Whether two segments are the same memory from start to end. */
  public static boolean isSameMemory(MemorySegment a, MemorySegment b) {
    return a.equals(b) && a.byteSize() == b.byteSize();
  }

  /** Whether a segment lies within another one. */
  public static boolean isPart(MemorySegment part, MemorySegment whole) {
    // In JDK 25, the length of the common slice is wrong if the part begins after the whole does.
    long offset = part.address() - whole.address();
    return whole.asOverlappingSlice(part).isPresent()
        && offset >= 0
        && part.byteSize() <= whole.byteSize() - offset;
  }

  /** Whether one segment can stand for the other: memory, lifetime and access are the same. */
  public static boolean isSameView(@Nullable MemorySegment a, @Nullable MemorySegment b) {
    if (a == null || b == null) {
      return a == null && b == null;
    }
    return isSameMemory(a, b) && a.isReadOnly() == b.isReadOnly() && a.scope().equals(b.scope());
  }

  /** {@link #isSameView} for each entry. */
  public static boolean areSameViews(@Nullable MemorySegment[] a, @Nullable MemorySegment[] b) {
    boolean isSame = a.length == b.length;
    for (int i = 0; isSame && i < a.length; i++) {
      isSame = isSameView(a[i], b[i]);
    }
    return isSame;
  }
}
