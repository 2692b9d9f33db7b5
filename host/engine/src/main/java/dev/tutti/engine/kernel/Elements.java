package dev.tutti.engine.kernel;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ReduceOp;
import java.lang.foreign.MemorySegment;
import java.util.function.LongBinaryOperator;

/** The {@link Element} of every type and reduction. */
final class Elements {

  private static final Store BYTE = (s, at, v) -> s.set(JAVA_BYTE, at, (byte) v);
  private static final Store SHORT = (s, at, v) -> s.set(JAVA_SHORT_UNALIGNED, at, (short) v);
  private static final Store INT = (s, at, v) -> s.set(JAVA_INT_UNALIGNED, at, (int) v);
  private static final Store LONG = (s, at, v) -> s.set(JAVA_LONG_UNALIGNED, at, v);
  private static final Load LOAD_LONG = (s, at) -> s.get(JAVA_LONG_UNALIGNED, at);

  /** The bfloat16 of all NaN results, so that rounding cannot turn them into infinities. */
  private static final short BFLOAT16_NAN = 0x7fc0;

  private Elements() {}

  /** The element of a type and a reduction that {@link ReduceOp#supports} allows. */
  static Element of(DataType type, ReduceOp op) {
    return switch (type) {
      case INT8 -> new Composed((s, at) -> s.get(JAVA_BYTE, at), integer(op), BYTE);
      case INT16 -> new Composed((s, at) -> s.get(JAVA_SHORT_UNALIGNED, at), integer(op), SHORT);
      case INT32 -> new Composed((s, at) -> s.get(JAVA_INT_UNALIGNED, at), integer(op), INT);
      case INT64 -> new Composed(LOAD_LONG, integer(op), LONG);
      case UINT8 ->
          new Composed((s, at) -> Byte.toUnsignedLong(s.get(JAVA_BYTE, at)), unsigned(op), BYTE);
      case UINT16 ->
          new Composed(
              (s, at) -> Short.toUnsignedLong(s.get(JAVA_SHORT_UNALIGNED, at)),
              unsigned(op),
              SHORT);
      case UINT32 ->
          new Composed(
              (s, at) -> Integer.toUnsignedLong(s.get(JAVA_INT_UNALIGNED, at)), unsigned(op), INT);
      case UINT64 -> new Composed(LOAD_LONG, unsigned(op), LONG);
      case FLOAT16 ->
          new Composed(
              (s, at) -> bits(Float.float16ToFloat(s.get(JAVA_SHORT_UNALIGNED, at))),
              float32(op),
              (s, at, v) -> s.set(JAVA_SHORT_UNALIGNED, at, Float.floatToFloat16(float32(v))));
      case BFLOAT16 ->
          new Composed(
              (s, at) -> (long) s.get(JAVA_SHORT_UNALIGNED, at) << 16,
              float32(op),
              (s, at, v) -> s.set(JAVA_SHORT_UNALIGNED, at, bfloat16((int) v)));
      case FLOAT32 ->
          new Composed(
              (s, at) -> bits(s.get(JAVA_FLOAT_UNALIGNED, at)),
              float32(op),
              (s, at, v) -> s.set(JAVA_FLOAT_UNALIGNED, at, float32(v)));
      case FLOAT64 ->
          new Composed(
              (s, at) -> bits(s.get(JAVA_DOUBLE_UNALIGNED, at)),
              float64(op),
              (s, at, v) -> s.set(JAVA_DOUBLE_UNALIGNED, at, float64(v)));
    };
  }

  /** An element whose combination divides the second operand: {@code b / divisor}. */
  static Element dividing(DataType type, int divisor) {
    Composed sum = (Composed) of(type, ReduceOp.SUM);
    LongBinaryOperator quotient =
        switch (type) {
          case FLOAT16, BFLOAT16, FLOAT32 -> (a, b) -> bits(float32(b) / divisor);
          case FLOAT64 -> (a, b) -> bits(float64(b) / divisor);
          case UINT64 -> (a, b) -> Long.divideUnsigned(b, divisor);
          case INT8, INT16, INT32, INT64, UINT8, UINT16, UINT32 -> (a, b) -> b / divisor;
        };
    return new Composed(sum.load(), quotient, sum.store());
  }

  private static LongBinaryOperator integer(ReduceOp op) {
    return switch (op) {
      case SUM -> (a, b) -> a + b;
      case PROD -> (a, b) -> a * b;
      case MAX -> Math::max;
      case MIN -> Math::min;
      case BAND -> (a, b) -> a & b;
      case BOR -> (a, b) -> a | b;
      case BXOR -> (a, b) -> a ^ b;
    };
  }

  private static LongBinaryOperator unsigned(ReduceOp op) {
    return switch (op) {
      case MAX -> (a, b) -> Long.compareUnsigned(a, b) >= 0 ? a : b;
      case MIN -> (a, b) -> Long.compareUnsigned(a, b) <= 0 ? a : b;
      case SUM, PROD, BAND, BOR, BXOR -> integer(op);
    };
  }

  private static LongBinaryOperator float32(ReduceOp op) {
    return switch (op) {
      case SUM -> (a, b) -> bits(float32(a) + float32(b));
      case PROD -> (a, b) -> bits(float32(a) * float32(b));
      case MAX -> (a, b) -> bits(Math.max(float32(a), float32(b)));
      case MIN -> (a, b) -> bits(Math.min(float32(a), float32(b)));
      case BAND, BOR, BXOR -> throw new IllegalArgumentException(op.label());
    };
  }

  private static LongBinaryOperator float64(ReduceOp op) {
    return switch (op) {
      case SUM -> (a, b) -> bits(float64(a) + float64(b));
      case PROD -> (a, b) -> bits(float64(a) * float64(b));
      case MAX -> (a, b) -> bits(Math.max(float64(a), float64(b)));
      case MIN -> (a, b) -> bits(Math.min(float64(a), float64(b)));
      case BAND, BOR, BXOR -> throw new IllegalArgumentException(op.label());
    };
  }

  /** Rounds to nearest, ties to even; every NaN becomes the same. */
  private static short bfloat16(int float32Bits) {
    if (Float.isNaN(Float.intBitsToFloat(float32Bits))) {
      return BFLOAT16_NAN;
    }
    return (short) ((float32Bits + 0x7fff + ((float32Bits >>> 16) & 1)) >>> 16);
  }

  private static float float32(long bits) {
    return Float.intBitsToFloat((int) bits);
  }

  private static double float64(long bits) {
    return Double.longBitsToDouble(bits);
  }

  private static long bits(float value) {
    return Float.floatToRawIntBits(value);
  }

  private static long bits(double value) {
    return Double.doubleToRawLongBits(value);
  }

  private interface Load {
    long load(MemorySegment segment, long offset);
  }

  private interface Store {
    void store(MemorySegment segment, long offset, long value);
  }

  private record Composed(Load load, LongBinaryOperator operator, Store store) implements Element {
    @Override
    public long load(MemorySegment segment, long offset) {
      return load.load(segment, offset);
    }

    @Override
    public long combine(long a, long b) {
      return operator.applyAsLong(a, b);
    }

    @Override
    public void store(MemorySegment segment, long offset, long value) {
      store.store(segment, offset, value);
    }
  }
}
