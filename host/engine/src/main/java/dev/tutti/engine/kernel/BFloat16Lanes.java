package dev.tutti.engine.kernel;

import static jdk.incubator.vector.VectorOperators.ADD;
import static jdk.incubator.vector.VectorOperators.AND;
import static jdk.incubator.vector.VectorOperators.LSHL;
import static jdk.incubator.vector.VectorOperators.LSHR;
import static jdk.incubator.vector.VectorOperators.NE;
import static jdk.incubator.vector.VectorOperators.OR;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.nio.ByteOrder;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * Combines bfloat16, two elements in each lane of an int vector: the low one becomes a float32 by a
 * shift, the high one by a mask. Used as a hidden copy.
 */
final class BFloat16Lanes extends Lanes {

  /**
   * The data of a copy; see {@link VectorLanes.Data}.
   *
   * @param ints vectors of pairs
   * @param floats vectors of the same shape
   */
  record Data(
      VectorSpecies<Integer> ints,
      VectorSpecies<Float> floats,
      VectorOperators.Associative op,
      Lanes scalar) {}

  private static final Data DATA = HiddenCopy.dataOf(MethodHandles.lookup(), Data.class);
  private static final VectorSpecies<Integer> INTS = DATA.ints();
  private static final VectorSpecies<Float> FLOATS = DATA.floats();
  private static final VectorOperators.Associative OP = DATA.op();
  private static final Lanes SCALAR = DATA.scalar();
  private static final int STEP = INTS.vectorByteSize();
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();

  private static final IntVector HIGH = IntVector.broadcast(INTS, 0xffff0000);
  private static final IntVector HALF = IntVector.broadcast(INTS, Short.SIZE);
  private static final IntVector ONE = IntVector.broadcast(INTS, 1);
  private static final IntVector BELOW_MIDDLE = IntVector.broadcast(INTS, 0x7fff);
  private static final FloatVector NAN = FloatVector.broadcast(FLOATS, Float.NaN);

  /*
   * The loops have no helper methods. The compiler always inlines the vector library's methods, but
   * ours only as long as it has not compiled them separately, and a vector that crosses a call is
   * allocated. For the rest see the essay in VectorLanes.
   *
   * Constants are vectors, made once, and every operation is a `lanewise`. The library makes a
   * vector of a number, and finds the operation of a method like `add`, by more virtual calls. When
   * the JVM has used vectors of many types, the compiler looks through them too late, and each
   * round of a loop allocates vectors: 4 to 14 GB/s instead of 28.
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
    int whole = bytes & -STEP;
    if (!round(dst, dstOffset, a, aOffset, b, bOffset, whole)) {
      whole = 0;
    }
    if (whole < bytes) {
      SCALAR.combine(dst, dstOffset + whole, a, aOffset + whole, b, bOffset + whole, bytes - whole);
    }
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
    MemorySegment sums = Scratch.ofThread();
    int whole = bytes & -STEP;
    for (int i = 0; i < whole; i += Scratch.BYTES / 2) {
      int length = Math.min(Scratch.BYTES / 2, whole - i);
      if (!foldTile(dst, dstOffset + i, sums, s, o, from, count, shift + i, length)) {
        SCALAR.fold(dst, dstOffset + i, s, o, from, count, shift + i, length);
      }
    }
    if (whole < bytes) {
      SCALAR.fold(dst, dstOffset + whole, s, o, from, count, shift + whole, bytes - whole);
    }
  }

  private static boolean foldTile(
      MemorySegment dst,
      long dstOffset,
      MemorySegment sums,
      MemorySegment[] s,
      long[] o,
      int from,
      int count,
      long shift,
      int bytes) {
    int last = from + count - 1;
    boolean done = begin(sums, s[from], o[from] + shift, s[from + 1], o[from + 1] + shift, bytes);
    for (int next = from + 2; done && next < last; next++) {
      done = extend(sums, s[next], o[next] + shift, bytes);
    }
    return done && end(dst, dstOffset, sums, s[last], o[last] + shift, bytes);
  }

  /** {@code dst = a ⊕ b}, rounded; false if the memory is confined to a thread. */
  private static boolean round(
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
    int i = 0;
    do {
      IntVector x = IntVector.fromMemorySegment(INTS, s0, aOffset + i, ORDER);
      IntVector y = IntVector.fromMemorySegment(INTS, s1, bOffset + i, ORDER);
      FloatVector lowX = x.lanewise(LSHL, HALF).reinterpretAsFloats();
      FloatVector lowY = y.lanewise(LSHL, HALF).reinterpretAsFloats();
      FloatVector highX = x.lanewise(AND, HIGH).reinterpretAsFloats();
      FloatVector highY = y.lanewise(AND, HIGH).reinterpretAsFloats();
      FloatVector low = lowX.lanewise(OP, lowY);
      FloatVector high = highX.lanewise(OP, highY);
      IntVector l = low.blend(NAN, low.compare(NE, low)).reinterpretAsInts();
      IntVector h = high.blend(NAN, high.compare(NE, high)).reinterpretAsInts();
      l =
          l.lanewise(ADD, l.lanewise(LSHR, HALF).lanewise(AND, ONE))
              .lanewise(ADD, BELOW_MIDDLE)
              .lanewise(LSHR, HALF);
      h =
          h.lanewise(ADD, h.lanewise(LSHR, HALF).lanewise(AND, ONE))
              .lanewise(ADD, BELOW_MIDDLE)
              .lanewise(AND, HIGH);
      l.lanewise(OR, h).intoMemorySegment(to, dstOffset + i, ORDER);
      i += STEP;
    } while (i < bytes);
    return true;
  }

  /** {@code sums = a ⊕ b} in float32: a vector of low elements, one of high ones, and so on. */
  private static boolean begin(
      MemorySegment sums, MemorySegment a, long aOffset, MemorySegment b, long bOffset, int bytes) {
    MemorySegment to = NATIVE.cast(sums);
    MemorySegment s0 = NATIVE.cast(a);
    MemorySegment s1 = NATIVE.cast(b);
    if (!(s0.isAccessibleBy(NOBODY) && s1.isAccessibleBy(NOBODY))) {
      return false;
    }
    int i = 0;
    do {
      IntVector x = IntVector.fromMemorySegment(INTS, s0, aOffset + i, ORDER);
      IntVector y = IntVector.fromMemorySegment(INTS, s1, bOffset + i, ORDER);
      FloatVector lowX = x.lanewise(LSHL, HALF).reinterpretAsFloats();
      FloatVector lowY = y.lanewise(LSHL, HALF).reinterpretAsFloats();
      FloatVector highX = x.lanewise(AND, HIGH).reinterpretAsFloats();
      FloatVector highY = y.lanewise(AND, HIGH).reinterpretAsFloats();
      lowX.lanewise(OP, lowY).intoMemorySegment(to, 2L * i, ORDER);
      highX.lanewise(OP, highY).intoMemorySegment(to, 2L * i + STEP, ORDER);
      i += STEP;
    } while (i < bytes);
    return true;
  }

  /** {@code sums = sums ⊕ source}. */
  private static boolean extend(MemorySegment sums, MemorySegment source, long offset, int bytes) {
    MemorySegment to = NATIVE.cast(sums);
    MemorySegment s0 = NATIVE.cast(source);
    if (!s0.isAccessibleBy(NOBODY)) {
      return false;
    }
    int i = 0;
    do {
      IntVector x = IntVector.fromMemorySegment(INTS, s0, offset + i, ORDER);
      FloatVector.fromMemorySegment(FLOATS, to, 2L * i, ORDER)
          .lanewise(OP, x.lanewise(LSHL, HALF).reinterpretAsFloats())
          .intoMemorySegment(to, 2L * i, ORDER);
      FloatVector.fromMemorySegment(FLOATS, to, 2L * i + STEP, ORDER)
          .lanewise(OP, x.lanewise(AND, HIGH).reinterpretAsFloats())
          .intoMemorySegment(to, 2L * i + STEP, ORDER);
      i += STEP;
    } while (i < bytes);
    return true;
  }

  /** {@code dst = sums ⊕ source}, rounded. */
  private static boolean end(
      MemorySegment dst,
      long dstOffset,
      MemorySegment sums,
      MemorySegment source,
      long offset,
      int bytes) {
    MemorySegment to = NATIVE.cast(dst);
    MemorySegment s0 = NATIVE.cast(source);
    MemorySegment acc = NATIVE.cast(sums);
    if (!(to.isAccessibleBy(NOBODY) && s0.isAccessibleBy(NOBODY))) {
      return false;
    }
    int i = 0;
    do {
      IntVector x = IntVector.fromMemorySegment(INTS, s0, offset + i, ORDER);
      FloatVector low =
          FloatVector.fromMemorySegment(FLOATS, acc, 2L * i, ORDER)
              .lanewise(OP, x.lanewise(LSHL, HALF).reinterpretAsFloats());
      FloatVector high =
          FloatVector.fromMemorySegment(FLOATS, acc, 2L * i + STEP, ORDER)
              .lanewise(OP, x.lanewise(AND, HIGH).reinterpretAsFloats());
      IntVector l = low.blend(NAN, low.compare(NE, low)).reinterpretAsInts();
      IntVector h = high.blend(NAN, high.compare(NE, high)).reinterpretAsInts();
      l =
          l.lanewise(ADD, l.lanewise(LSHR, HALF).lanewise(AND, ONE))
              .lanewise(ADD, BELOW_MIDDLE)
              .lanewise(LSHR, HALF);
      h =
          h.lanewise(ADD, h.lanewise(LSHR, HALF).lanewise(AND, ONE))
              .lanewise(ADD, BELOW_MIDDLE)
              .lanewise(AND, HIGH);
      l.lanewise(OR, h).intoMemorySegment(to, dstOffset + i, ORDER);
      i += STEP;
    } while (i < bytes);
    return true;
  }
}
