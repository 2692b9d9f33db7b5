package dev.tutti.engine.kernel;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Combines off-heap memory of one data type with one reduction. Stateless for the caller, safe for
 * use by any number of threads, and free of allocation once warm; {@link Kernels#of} gives one.
 *
 * <p>Offsets and lengths are bytes. An offset need not be aligned, not even to the element; a
 * length must be a multiple of the element size. The destination may be identical to one or more of
 * the sources (the same first byte), but must not overlap one partially, and all segments must be
 * native or mapped.
 *
 * <p>Integers wrap around. Floating-point maxima and minima follow {@link Math#max(float, float)}.
 * float16 and bfloat16 are widened to float32, combined, and rounded once, to nearest even, when
 * the destination is written: {@link #reduceFrom} of three sources therefore rounds once where two
 * calls of {@link #reduce} round twice. A NaN stays a NaN; its sign and payload are unspecified.
 *
 * <p>The segments' own checks apply: a closed arena throws {@link IllegalStateException}, a foreign
 * thread {@link WrongThreadException}, a range outside a segment {@link IndexOutOfBoundsException},
 * a read-only destination {@link IllegalArgumentException} or {@link
 * UnsupportedOperationException}, memory on the heap {@link ClassCastException}. The destination
 * may then be partly written.
 */
public interface ReduceKernel {

  /**
   * {@code dst[i] = dst[i] ⊕ src[i]}.
   *
   * @param bytes the length of both operands
   * @throws dev.tutti.sdk.TuttiException if {@code bytes} is negative or not whole elements
   */
  void reduce(MemorySegment dst, long dstOffset, MemorySegment src, long srcOffset, long bytes);

  /**
   * {@code dst[i] = (..(s0[i] ⊕ s1[i]) ⊕ s2[i]) ..}, strictly from left to right. Every source is
   * read from memory once, and the destination is written once. A single source is copied.
   *
   * @param sources holds the sources at {@code [from, from + count)}
   * @param offsets the first byte of each source, at the same indexes
   * @param count the number of sources, at least 1
   * @param bytes the length of the destination and of each source
   * @throws dev.tutti.sdk.TuttiException if {@code count} is not positive, or {@code bytes} is
   *     negative or not whole elements
   */
  default void reduceFrom(
      MemorySegment dst,
      long dstOffset,
      MemorySegment[] sources,
      long[] offsets,
      int from,
      int count,
      long bytes) {
    reduceFrom(dst, dstOffset, sources, offsets, from, count, 0, bytes);
  }

  /**
   * The same for a part of the sources.
   *
   * @param shift bytes added to the offset of each source, but not to that of the destination
   */
  void reduceFrom(
      MemorySegment dst,
      long dstOffset,
      MemorySegment[] sources,
      long[] offsets,
      int from,
      int count,
      long shift,
      long bytes);

  /**
   * The sum of a few sources past the caches.
   *
   * @param sources at least 2
   * @param destinations at least 1
   * @return null if the kernel is not a sum, or if this machine has none for so many
   */
  default @Nullable StreamingSum streamingSum(int sources, int destinations) {
    return null;
  }
}
