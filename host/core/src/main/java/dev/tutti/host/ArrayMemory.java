package dev.tutti.host;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Arrays as memory. No array is no memory: whether there must be one is looked at where it is known
 * which operation it is for.
 */
@SuppressWarnings("NullAway") // a method that needs memory refuses null itself
final class ArrayMemory {

  private ArrayMemory() {}

  static MemorySegment of(byte @Nullable [] array) {
    return array == null ? null : MemorySegment.ofArray(array);
  }

  static MemorySegment of(short @Nullable [] array) {
    return array == null ? null : MemorySegment.ofArray(array);
  }

  static MemorySegment of(int @Nullable [] array) {
    return array == null ? null : MemorySegment.ofArray(array);
  }

  static MemorySegment of(long @Nullable [] array) {
    return array == null ? null : MemorySegment.ofArray(array);
  }

  static MemorySegment of(float @Nullable [] array) {
    return array == null ? null : MemorySegment.ofArray(array);
  }

  static MemorySegment of(double @Nullable [] array) {
    return array == null ? null : MemorySegment.ofArray(array);
  }
}
