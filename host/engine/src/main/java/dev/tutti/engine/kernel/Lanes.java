package dev.tutti.engine.kernel;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * One way of combining the elements of one (type, reduction) pair: with scalars or with vectors.
 * All ways of a pair write the same bits. Callers must check that lengths are positive, whole
 * elements, and at most {@link #MAX_BYTES}.
 */
abstract class Lanes {

  /**
   * The longest range of one call. Loops over it count in {@code int}, which lets the compiler move
   * the checks of the segments out of the loop.
   */
  static final int MAX_BYTES = 1 << 20;

  /**
   * The class of every off-heap segment. A loop that casts its segments to this class keeps its
   * speed, whatever segments other code has used before: see {@link VectorLanes}.
   */
  static final Class<? extends MemorySegment> NATIVE = MemorySegment.NULL.getClass();

  /** The number of size classes. */
  static final int SIZE_CLASSES = 5;

  /** The class of a length: 0 below 8 bytes, 1 below 16, 2 below 32, 3 below 64, and 4. */
  static int sizeClass(int bytes) {
    return Math.min(Integer.SIZE - Integer.numberOfLeadingZeros(bytes >>> 3), SIZE_CLASSES - 1);
  }

  /** The shortest length of a class of 1 or higher. */
  static int sizeOf(int sizeClass) {
    return 4 << sizeClass;
  }

  /** The same lanes for every size class. */
  static Lanes[] ofAllSizes(Lanes lanes) {
    Lanes[] all = new Lanes[SIZE_CLASSES];
    Arrays.fill(all, lanes);
    return all;
  }

  /** A thread that never runs. It may access exactly the memory that all threads may access. */
  static final Thread NOBODY = Thread.ofPlatform().unstarted(() -> {});

  /** {@code dst = a ⊕ b}. */
  abstract void combine(
      MemorySegment dst,
      long dstOffset,
      MemorySegment a,
      long aOffset,
      MemorySegment b,
      long bOffset,
      int bytes);

  /**
   * {@code dst = (..(s0 ⊕ s1) ⊕ s2) ..} of three or more sources.
   *
   * @param shift the bytes to add to the offset of every source
   */
  abstract void fold(
      MemorySegment dst,
      long dstOffset,
      MemorySegment[] sources,
      long[] offsets,
      int from,
      int count,
      long shift,
      int bytes);
}
