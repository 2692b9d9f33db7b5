package dev.tutti.host.buffers;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Compares segments. Their own {@code equals} looks at the place only, not at size and lifetime.
 */
public final class SegmentComparison {

  private SegmentComparison() {}

  /** Whether two segments are one memory from end to end. */
  public static boolean isSameMemory(MemorySegment a, MemorySegment b) {
    return a.equals(b) && a.byteSize() == b.byteSize();
  }

  /** Whether a segment lies within another one. */
  public static boolean isPart(MemorySegment part, MemorySegment whole) {
    // How long the common slice is, JDK 25 tells wrongly where the part begins after the whole.
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
