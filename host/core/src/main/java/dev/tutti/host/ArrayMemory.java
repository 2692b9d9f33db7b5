package dev.tutti.host;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Turns arrays into memory. A null array becomes null memory; whether the operation needs an array
 * is checked later, where the operation is known.
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
