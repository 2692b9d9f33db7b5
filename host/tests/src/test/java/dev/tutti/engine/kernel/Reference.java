package dev.tutti.engine.kernel;

import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ReduceOp;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Reductions one boxed value at a time: integers as {@link BigInteger}, 16-bit floats decoded from
 * their fields and rounded by comparing distances. Shares no code with the kernels.
 */
final class Reference {

  private Reference() {}

  /**
   * The bits of the element at {@code index} of the fold of all sources; every NaN is canonical.
   */
  static long fold(DataType type, ReduceOp op, byte[][] sources, int index) {
    if (type.isInteger()) {
      BigInteger value = integer(type, sources[0], index);
      for (int s = 1; s < sources.length; s++) {
        BigInteger result = combine(op, value, integer(type, sources[s], index));
        value = wrap(type, result);
      }
      return value.longValue() & mask(type);
    }
    if (type == DataType.FLOAT64) {
      Double value = Double.longBitsToDouble(bits(type, sources[0], index));
      for (int s = 1; s < sources.length; s++) {
        value = combine(op, value, Double.longBitsToDouble(bits(type, sources[s], index)));
      }
      return Double.doubleToLongBits(value);
    }
    Float value = real(type, sources[0], index);
    for (int s = 1; s < sources.length; s++) {
      value = combine(op, value, real(type, sources[s], index));
    }
    return switch (type) {
      case FLOAT32 -> Float.floatToIntBits(value) & mask(type);
      case FLOAT16 -> round(value, 10, 15);
      case BFLOAT16 -> round(value, 7, 127);
      default -> throw new AssertionError(type);
    };
  }

  /** The bits of an element; every NaN is canonical. */
  static long canonical(DataType type, byte[] memory, int index) {
    long bits = bits(type, memory, index);
    return switch (type) {
      case FLOAT16 -> (bits & 0x7fff) > 0x7c00 ? 0x7e00 : bits;
      case BFLOAT16 -> (bits & 0x7fff) > 0x7f80 ? 0x7fc0 : bits;
      case FLOAT32 -> (bits & 0x7fffffffL) > 0x7f800000L ? 0x7fc00000L : bits;
      case FLOAT64 -> Double.doubleToLongBits(Double.longBitsToDouble(bits));
      default -> bits;
    };
  }

  private static long mask(DataType type) {
    return -1L >>> (Long.SIZE - type.size() * Byte.SIZE);
  }

  private static long bits(DataType type, byte[] memory, int index) {
    ByteBuffer buffer = ByteBuffer.wrap(memory).order(ByteOrder.nativeOrder());
    int at = index * type.size();
    return switch (type.size()) {
          case 1 -> buffer.get(at);
          case 2 -> buffer.getShort(at);
          case 4 -> buffer.getInt(at);
          default -> buffer.getLong(at);
        }
        & mask(type);
  }

  private static BigInteger integer(DataType type, byte[] memory, int index) {
    return wrap(type, BigInteger.valueOf(bits(type, memory, index)));
  }

  private static BigInteger wrap(DataType type, BigInteger value) {
    int width = type.size() * Byte.SIZE;
    BigInteger range = BigInteger.ONE.shiftLeft(width);
    BigInteger low = value.mod(range);
    boolean signed = type.label().startsWith("int");
    return signed && low.testBit(width - 1) ? low.subtract(range) : low;
  }

  private static BigInteger combine(ReduceOp op, BigInteger a, BigInteger b) {
    return switch (op) {
      case SUM -> a.add(b);
      case PROD -> a.multiply(b);
      case MAX -> a.max(b);
      case MIN -> a.min(b);
      case BAND -> a.and(b);
      case BOR -> a.or(b);
      case BXOR -> a.xor(b);
    };
  }

  private static Double combine(ReduceOp op, Double a, Double b) {
    return switch (op) {
      case SUM -> a + b;
      case PROD -> a * b;
      case MAX -> Math.max(a, b);
      case MIN -> Math.min(a, b);
      default -> throw new AssertionError(op);
    };
  }

  private static Float combine(ReduceOp op, Float a, Float b) {
    return switch (op) {
      case SUM -> a + b;
      case PROD -> a * b;
      case MAX -> Math.max(a, b);
      case MIN -> Math.min(a, b);
      default -> throw new AssertionError(op);
    };
  }

  private static Float real(DataType type, byte[] memory, int index) {
    long bits = bits(type, memory, index);
    return switch (type) {
      case FLOAT32 -> Float.intBitsToFloat((int) bits);
      case FLOAT16 -> (float) signed(bits, 10, 15);
      case BFLOAT16 -> (float) signed(bits, 7, 127);
      default -> throw new AssertionError(type);
    };
  }

  private static double signed(long bits, int fraction, int bias) {
    long magnitude = bits & 0x7fff;
    long infinity = (2L * bias + 1) << fraction;
    double value =
        magnitude > infinity
            ? Double.NaN
            : magnitude == infinity ? Double.POSITIVE_INFINITY : decode(magnitude, fraction, bias);
    return (bits & 0x8000) == 0 ? value : -value;
  }

  /** The value of a finite magnitude, and of infinity the value it would have if it were finite. */
  private static double decode(long magnitude, int fraction, int bias) {
    long exponent = magnitude >> fraction;
    long digits = magnitude & ((1L << fraction) - 1);
    return exponent == 0
        ? Math.scalb((double) digits, 1 - bias - fraction)
        : Math.scalb((double) (digits | 1L << fraction), (int) exponent - bias - fraction);
  }

  private static long round(float value, int fraction, int bias) {
    long infinity = (2L * bias + 1) << fraction;
    if (Float.isNaN(value)) {
      return infinity | 1L << (fraction - 1);
    }
    double wanted = Math.abs((double) value);
    long sign = Float.floatToRawIntBits(value) < 0 ? 0x8000 : 0;
    long below = 0;
    for (long step = 0x4000; step > 0; step >>= 1) {
      if (below + step <= infinity && decode(below + step, fraction, bias) <= wanted) {
        below += step;
      }
    }
    if (below == infinity) {
      return sign | infinity;
    }
    double down = wanted - decode(below, fraction, bias);
    double up = decode(below + 1, fraction, bias) - wanted;
    boolean roundUp = up < down || (up == down && (below & 1) == 1);
    return sign | (roundUp ? below + 1 : below);
  }
}
