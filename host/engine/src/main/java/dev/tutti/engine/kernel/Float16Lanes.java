package dev.tutti.engine.kernel;

import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;

/**
 * Combines float16 tile by tile: widens into an array of float32, accumulates there, and rounds at
 * the end. Used as a hidden copy.
 */
final class Float16Lanes extends Lanes {

  /*
   * The compiler vectorises loops that read memory and write an array, or the reverse, with the
   * processor's own conversions (VCVTPH2PS). It cannot vectorise loops from memory to memory,
   * because the two may overlap. So these loops are faster than the vector library, which has no
   * such conversion, and need no module.
   */

  /** {@code a ⊕ b} in float32. */
  interface Operator {
    float apply(float a, float b);
  }

  private static final Operator OP = HiddenCopy.dataOf(MethodHandles.lookup(), Operator.class);
  private static final int TILE = 2048;
  private static final ThreadLocal<float[]> SUMS = ThreadLocal.withInitial(() -> new float[TILE]);

  @Override
  void combine(
      MemorySegment dst,
      long dstOffset,
      MemorySegment a,
      long aOffset,
      MemorySegment b,
      long bOffset,
      int bytes) {
    float[] sums = SUMS.get();
    for (int i = 0; i < bytes; i += 2 * TILE) {
      int count = Math.min(TILE, (bytes - i) >> 1);
      begin(sums, a, aOffset + i, b, bOffset + i, count);
      end(dst, dstOffset + i, sums, count);
    }
  }

  @Override
  void fold(
      MemorySegment dst,
      long dstOffset,
      MemorySegment[] sources,
      long[] offsets,
      int from,
      int count,
      long shift,
      int bytes) {
    float[] sums = SUMS.get();
    for (int i = 0; i < bytes; i += 2 * TILE) {
      int elements = Math.min(TILE, (bytes - i) >> 1);
      long at = shift + i;
      MemorySegment first = sources[from];
      MemorySegment second = sources[from + 1];
      begin(sums, first, offsets[from] + at, second, offsets[from + 1] + at, elements);
      for (int s = from + 2; s < from + count; s++) {
        extend(sums, sources[s], offsets[s] + at, elements);
      }
      end(dst, dstOffset + i, sums, elements);
    }
  }

  private static void begin(
      float[] sums, MemorySegment a, long aOffset, MemorySegment b, long bOffset, int count) {
    MemorySegment left = NATIVE.cast(a);
    MemorySegment right = NATIVE.cast(b);
    for (int i = 0; i < count; i++) {
      float x = Float.float16ToFloat(left.get(JAVA_SHORT_UNALIGNED, aOffset + 2L * i));
      float y = Float.float16ToFloat(right.get(JAVA_SHORT_UNALIGNED, bOffset + 2L * i));
      sums[i] = OP.apply(x, y);
    }
  }

  private static void extend(float[] sums, MemorySegment source, long offset, int count) {
    MemorySegment from = NATIVE.cast(source);
    for (int i = 0; i < count; i++) {
      float value = Float.float16ToFloat(from.get(JAVA_SHORT_UNALIGNED, offset + 2L * i));
      sums[i] = OP.apply(sums[i], value);
    }
  }

  private static void end(MemorySegment dst, long offset, float[] sums, int count) {
    MemorySegment to = NATIVE.cast(dst);
    for (int i = 0; i < count; i++) {
      to.set(JAVA_SHORT_UNALIGNED, offset + 2L * i, Float.floatToFloat16(sums[i]));
    }
  }
}
