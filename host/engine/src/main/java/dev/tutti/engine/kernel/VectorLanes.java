package dev.tutti.engine.kernel;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.nio.ByteOrder;
import jdk.incubator.vector.Vector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * Combines whole vectors of a type whose elements are computed in their stored format: every
 * integer, float32 and float64. Used as a hidden copy.
 */
final class VectorLanes extends Lanes {

  /**
   * The data of a copy.
   *
   * @param species the vectors; their element type is erased to {@code Object}
   * @param op the operation
   * @param scalar the lanes of the same pair for memory that vectors do not handle
   */
  record Data(VectorSpecies<Object> species, VectorOperators.Associative op, Lanes scalar) {}

  private static final Data DATA = HiddenCopy.dataOf(MethodHandles.lookup(), Data.class);
  private static final VectorSpecies<Object> SPECIES = DATA.species();
  private static final int STEP = SPECIES.vectorByteSize();
  private static final VectorOperators.Associative OP = DATA.op();
  private static final Lanes SCALAR = DATA.scalar();
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();

  /*
   * Why the casts to NATIVE. The vector library's own loads and stores call virtual methods of the
   * segment, and the compiler guesses their targets from one profile that the whole JVM shares. As
   * soon as any code has put a vector into a heap segment (the library itself does, when it
   * reinterprets a vector before it is compiled), the guess becomes "heap or native". Then the
   * compiler puts a memory barrier after every access, and every check of every segment stays
   * inside the loop: 80 GB/s instead of 480 in the first-level cache. The cast gives the compiler
   * the class.
   *
   * Why NOBODY. A segment's check reads "if it has an owner, is that this thread?". When the JVM
   * has seen memory of both kinds, the compiler moves the second question in front of the loop,
   * without the first. The question fails for shared memory, the code is thrown away, and this may
   * happen again and again. If a thread that never runs may access a segment, the segment has no
   * owner: this check before the loop answers the first question for the whole loop. Memory with an
   * owner is left to scalars.
   *
   * Why the loops run at least once. The compiler moves a segment's check in front of the loop and
   * makes it for the last index, even if the loop will not run. If the check fails there, the code
   * is thrown away, and after a few times the checks stay inside. For the same reason, the loop
   * must not have a second condition, even a constant one.
   *
   * Why a load or a step has no helper method. The vector library's methods are always inlined, but
   * ours only as long as they have not been compiled separately, and a vector that crosses a call
   * is allocated.
   *
   * The last vector of a range ends where the range ends, so it may overlap the previous one. It is
   * computed first, because the destination may be a source, and stored last.
   */

  @Override
  void combine(
      MemorySegment dst,
      long dstOffset,
      MemorySegment a,
      long aOffset,
      MemorySegment b,
      long bOffset,
      int bytes) {
    if (!combine2(dst, dstOffset, a, aOffset, b, bOffset, bytes)) {
      SCALAR.combine(dst, dstOffset, a, aOffset, b, bOffset, bytes);
    }
  }

  private static boolean combine2(
      MemorySegment dst,
      long dstOffset,
      MemorySegment a,
      long aOffset,
      MemorySegment b,
      long bOffset,
      int bytes) {
    MemorySegment to = NATIVE.cast(dst);
    MemorySegment s0 = NATIVE.cast(a);
    MemorySegment s1 = NATIVE.cast(b);
    if (!(to.isAccessibleBy(NOBODY) && s0.isAccessibleBy(NOBODY) && s1.isAccessibleBy(NOBODY))) {
      return false;
    }
    int last = bytes - STEP;
    Vector<Object> end =
        SPECIES
            .fromMemorySegment(s0, aOffset + last, ORDER)
            .lanewise(OP, SPECIES.fromMemorySegment(s1, bOffset + last, ORDER));
    int limit = (bytes - 1) & -STEP;
    if (limit > 0) {
      int i = 0;
      do {
        SPECIES
            .fromMemorySegment(s0, aOffset + i, ORDER)
            .lanewise(OP, SPECIES.fromMemorySegment(s1, bOffset + i, ORDER))
            .intoMemorySegment(to, dstOffset + i, ORDER);
        i += STEP;
      } while (i < limit);
    }
    end.intoMemorySegment(to, dstOffset + last, ORDER);
    return true;
  }

  private static boolean combine3(
      MemorySegment dst,
      long dstOffset,
      MemorySegment a,
      long aOffset,
      MemorySegment b,
      long bOffset,
      MemorySegment c,
      long cOffset,
      int bytes) {
    MemorySegment to = NATIVE.cast(dst);
    MemorySegment s0 = NATIVE.cast(a);
    MemorySegment s1 = NATIVE.cast(b);
    MemorySegment s2 = NATIVE.cast(c);
    if (!(to.isAccessibleBy(NOBODY)
        && s0.isAccessibleBy(NOBODY)
        && s1.isAccessibleBy(NOBODY)
        && s2.isAccessibleBy(NOBODY))) {
      return false;
    }
    int last = bytes - STEP;
    Vector<Object> end =
        SPECIES
            .fromMemorySegment(s0, aOffset + last, ORDER)
            .lanewise(OP, SPECIES.fromMemorySegment(s1, bOffset + last, ORDER))
            .lanewise(OP, SPECIES.fromMemorySegment(s2, cOffset + last, ORDER));
    int limit = (bytes - 1) & -STEP;
    if (limit > 0) {
      int i = 0;
      do {
        SPECIES
            .fromMemorySegment(s0, aOffset + i, ORDER)
            .lanewise(OP, SPECIES.fromMemorySegment(s1, bOffset + i, ORDER))
            .lanewise(OP, SPECIES.fromMemorySegment(s2, cOffset + i, ORDER))
            .intoMemorySegment(to, dstOffset + i, ORDER);
        i += STEP;
      } while (i < limit);
    }
    end.intoMemorySegment(to, dstOffset + last, ORDER);
    return true;
  }

  private static boolean combine4(
      MemorySegment dst,
      long dstOffset,
      MemorySegment a,
      long aOffset,
      MemorySegment b,
      long bOffset,
      MemorySegment c,
      long cOffset,
      MemorySegment d,
      long dOffset,
      int bytes) {
    MemorySegment to = NATIVE.cast(dst);
    MemorySegment s0 = NATIVE.cast(a);
    MemorySegment s1 = NATIVE.cast(b);
    MemorySegment s2 = NATIVE.cast(c);
    MemorySegment s3 = NATIVE.cast(d);
    if (!(to.isAccessibleBy(NOBODY)
        && s0.isAccessibleBy(NOBODY)
        && s1.isAccessibleBy(NOBODY)
        && s2.isAccessibleBy(NOBODY)
        && s3.isAccessibleBy(NOBODY))) {
      return false;
    }
    int last = bytes - STEP;
    Vector<Object> end =
        SPECIES
            .fromMemorySegment(s0, aOffset + last, ORDER)
            .lanewise(OP, SPECIES.fromMemorySegment(s1, bOffset + last, ORDER))
            .lanewise(OP, SPECIES.fromMemorySegment(s2, cOffset + last, ORDER))
            .lanewise(OP, SPECIES.fromMemorySegment(s3, dOffset + last, ORDER));
    int limit = (bytes - 1) & -STEP;
    if (limit > 0) {
      int i = 0;
      do {
        SPECIES
            .fromMemorySegment(s0, aOffset + i, ORDER)
            .lanewise(OP, SPECIES.fromMemorySegment(s1, bOffset + i, ORDER))
            .lanewise(OP, SPECIES.fromMemorySegment(s2, cOffset + i, ORDER))
            .lanewise(OP, SPECIES.fromMemorySegment(s3, dOffset + i, ORDER))
            .intoMemorySegment(to, dstOffset + i, ORDER);
        i += STEP;
      } while (i < limit);
    }
    end.intoMemorySegment(to, dstOffset + last, ORDER);
    return true;
  }

  @Override
  void fold(
      MemorySegment dst,
      long dstOffset,
      MemorySegment[] s,
      long[] o,
      int from,
      int count,
      long shift,
      int bytes) {
    if (!foldVectors(dst, dstOffset, s, o, from, count, shift, bytes)) {
      SCALAR.fold(dst, dstOffset, s, o, from, count, shift, bytes);
    }
  }

  private static boolean foldVectors(
      MemorySegment dst,
      long dstOffset,
      MemorySegment[] s,
      long[] o,
      int from,
      int count,
      long shift,
      int bytes) {
    if (count > 4) {
      return foldMany(dst, dstOffset, s, o, from, count, shift, bytes);
    }
    long first = o[from] + shift;
    return extend(dst, dstOffset, s[from], first, s, o, from + 1, count - 1, shift, bytes);
  }

  /**
   * Folds tile by tile, up to three further sources at a time, into scratch that stays in the first
   * level cache. The destination may be one of the sources, so only the last step writes it.
   */
  private static boolean foldMany(
      MemorySegment dst,
      long dstOffset,
      MemorySegment[] s,
      long[] o,
      int from,
      int count,
      long shift,
      int bytes) {
    MemorySegment scratch = Scratch.ofThread();
    int end = from + count;
    for (int i = 0; i < bytes; i += Scratch.BYTES) {
      int length = Math.min(Scratch.BYTES, bytes - i);
      long at = shift + i;
      boolean done =
          length >= STEP
              && extend(scratch, 0, s[from], o[from] + at, s, o, from + 1, 3, at, length);
      int next = from + 4;
      for (; done && end - next > 3; next += 3) {
        done = extend(scratch, 0, scratch, 0, s, o, next, 3, at, length);
      }
      if (!done || !extend(dst, dstOffset + i, scratch, 0, s, o, next, end - next, at, length)) {
        SCALAR.fold(dst, dstOffset + i, s, o, from, count, at, length);
      }
    }
    return true;
  }

  /** {@code dst = first ⊕ sources}, of one to three sources. */
  private static boolean extend(
      MemorySegment dst,
      long dstOffset,
      MemorySegment first,
      long firstOffset,
      MemorySegment[] s,
      long[] o,
      int from,
      int count,
      long shift,
      int bytes) {
    MemorySegment b = s[from];
    long bOffset = o[from] + shift;
    if (count == 1) {
      return combine2(dst, dstOffset, first, firstOffset, b, bOffset, bytes);
    }
    MemorySegment c = s[from + 1];
    long cOffset = o[from + 1] + shift;
    if (count == 2) {
      return combine3(dst, dstOffset, first, firstOffset, b, bOffset, c, cOffset, bytes);
    }
    MemorySegment d = s[from + 2];
    long dOffset = o[from + 2] + shift;
    return combine4(dst, dstOffset, first, firstOffset, b, bOffset, c, cOffset, d, dOffset, bytes);
  }
}
