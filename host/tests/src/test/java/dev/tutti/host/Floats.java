package dev.tutti.host;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Buffers of float32, one per rank. */
public final class Floats {

  private Floats() {}

  /** Buffers in one arena; element i of rank r is {@code 1 + r + i}. */
  public static MemorySegment[] filled(Arena arena, int ranks, int count) {
    MemorySegment[] segments = zeros(arena, ranks, count);
    for (int rank = 0; rank < ranks; rank++) {
      for (int i = 0; i < count; i++) {
        segments[rank].setAtIndex(ValueLayout.JAVA_FLOAT, i, 1 + rank + i);
      }
    }
    return segments;
  }

  public static MemorySegment[] zeros(Arena arena, int ranks, int count) {
    MemorySegment[] segments = new MemorySegment[ranks];
    for (int rank = 0; rank < ranks; rank++) {
      segments[rank] = arena.allocate(ValueLayout.JAVA_FLOAT, count);
    }
    return segments;
  }

  /** Arrays as segments, filled like {@link #filled}. */
  public static MemorySegment[] heap(int ranks, int count) {
    MemorySegment[] segments = new MemorySegment[ranks];
    for (int rank = 0; rank < ranks; rank++) {
      float[] values = new float[count];
      for (int i = 0; i < count; i++) {
        values[i] = 1 + rank + i;
      }
      segments[rank] = MemorySegment.ofArray(values);
    }
    return segments;
  }

  public static float[] values(MemorySegment segment) {
    return segment.toArray(ValueLayout.JAVA_FLOAT_UNALIGNED);
  }

  /** The sum over all ranks of what {@link #filled} puts into them. */
  public static float[] sums(int ranks, int count) {
    float[] sums = new float[count];
    for (int i = 0; i < count; i++) {
      for (int rank = 0; rank < ranks; rank++) {
        sums[i] += 1 + rank + i;
      }
    }
    return sums;
  }
}
