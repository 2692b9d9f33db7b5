package dev.tutti.verifier.element;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.TuttiException;
import java.lang.foreign.MemorySegment;

/**
 * Up to {@link #SIZE} elements of one type in widened form, with the arithmetic on them. This is
 * the testkit's only implementation of the reductions, and is written to be obviously right. Not
 * thread-safe.
 */
public final class Block {

  public static final int SIZE = 256;

  /*
   * Integers are widened to 64 bits, signed ones with their sign, unsigned ones with zeros: sums,
   * products and bitwise operations are then right in their low bits, and all types but uint64
   * compare as signed 64-bit numbers. Floating-point numbers are widened to float64. A float32
   * operation is done in float64 and rounded to float32 at once, which gives the bits of the direct
   * operation: a product of two 24-bit significands is exact in 53 bits, and for sums 53 >= 2*24+2
   * makes double rounding harmless. 16-bit floats are accumulated in float32 and rounded when stored.
   */
  public final long[] integers = new long[SIZE];
  public final double[] reals = new double[SIZE];

  private final byte[] bytes = new byte[SIZE];
  private final short[] shorts = new short[SIZE];
  private final int[] ints = new int[SIZE];
  private final float[] floats = new float[SIZE];

  /** Reads {@code n} elements from a segment, {@code offset} bytes from its start. */
  public void load(DataType type, MemorySegment from, long offset, int n) {
    switch (type) {
      case INT8, UINT8 -> {
        MemorySegment.copy(from, JAVA_BYTE, offset, bytes, 0, n);
        long mask = type == DataType.INT8 ? -1 : 0xff;
        for (int i = 0; i < n; i++) {
          integers[i] = bytes[i] & mask;
        }
      }
      case INT16, UINT16 -> {
        MemorySegment.copy(from, JAVA_SHORT_UNALIGNED, offset, shorts, 0, n);
        long mask = type == DataType.INT16 ? -1 : 0xffff;
        for (int i = 0; i < n; i++) {
          integers[i] = shorts[i] & mask;
        }
      }
      case INT32, UINT32 -> {
        MemorySegment.copy(from, JAVA_INT_UNALIGNED, offset, ints, 0, n);
        long mask = type == DataType.INT32 ? -1 : 0xffff_ffffL;
        for (int i = 0; i < n; i++) {
          integers[i] = ints[i] & mask;
        }
      }
      case INT64, UINT64 -> MemorySegment.copy(from, JAVA_LONG_UNALIGNED, offset, integers, 0, n);
      case FLOAT16 -> {
        MemorySegment.copy(from, JAVA_SHORT_UNALIGNED, offset, shorts, 0, n);
        for (int i = 0; i < n; i++) {
          reals[i] = Float.float16ToFloat(shorts[i]);
        }
      }
      case BFLOAT16 -> {
        MemorySegment.copy(from, JAVA_SHORT_UNALIGNED, offset, shorts, 0, n);
        for (int i = 0; i < n; i++) {
          reals[i] = Float.intBitsToFloat(shorts[i] << 16);
        }
      }
      case FLOAT32 -> {
        MemorySegment.copy(from, JAVA_FLOAT_UNALIGNED, offset, floats, 0, n);
        for (int i = 0; i < n; i++) {
          reals[i] = floats[i];
        }
      }
      case FLOAT64 -> MemorySegment.copy(from, JAVA_DOUBLE_UNALIGNED, offset, reals, 0, n);
    }
  }

  /**
   * Writes {@code n} elements to a segment, rounded to the type, {@code offset} bytes from its
   * start.
   */
  public void store(DataType type, MemorySegment to, long offset, int n) {
    switch (type) {
      case INT8, UINT8 -> {
        for (int i = 0; i < n; i++) {
          bytes[i] = (byte) integers[i];
        }
        MemorySegment.copy(bytes, 0, to, JAVA_BYTE, offset, n);
      }
      case INT16, UINT16 -> {
        for (int i = 0; i < n; i++) {
          shorts[i] = (short) integers[i];
        }
        MemorySegment.copy(shorts, 0, to, JAVA_SHORT_UNALIGNED, offset, n);
      }
      case INT32, UINT32 -> {
        for (int i = 0; i < n; i++) {
          ints[i] = (int) integers[i];
        }
        MemorySegment.copy(ints, 0, to, JAVA_INT_UNALIGNED, offset, n);
      }
      case INT64, UINT64 -> MemorySegment.copy(integers, 0, to, JAVA_LONG_UNALIGNED, offset, n);
      case FLOAT16, BFLOAT16 -> {
        for (int i = 0; i < n; i++) {
          shorts[i] = bits16(type, (float) reals[i]);
        }
        MemorySegment.copy(shorts, 0, to, JAVA_SHORT_UNALIGNED, offset, n);
      }
      case FLOAT32 -> {
        for (int i = 0; i < n; i++) {
          floats[i] = (float) reals[i];
        }
        MemorySegment.copy(floats, 0, to, JAVA_FLOAT_UNALIGNED, offset, n);
      }
      case FLOAT64 -> MemorySegment.copy(reals, 0, to, JAVA_DOUBLE_UNALIGNED, offset, n);
    }
  }

  /** Rounds as {@link #store} does. */
  public void round(DataType type, int n) {
    if (type == DataType.FLOAT16) {
      for (int i = 0; i < n; i++) {
        reals[i] = Float.float16ToFloat(bits16(type, (float) reals[i]));
      }
    } else if (type == DataType.BFLOAT16) {
      for (int i = 0; i < n; i++) {
        reals[i] = Float.intBitsToFloat(bits16(type, (float) reals[i]) << 16);
      }
    }
  }

  private static short bits16(DataType type, float value) {
    if (type == DataType.FLOAT16) {
      return Float.floatToFloat16(value);
    }
    int bits = Float.floatToRawIntBits(value);
    if (Float.isNaN(value)) {
      return (short) (bits >>> 16 | 0x40);
    }
    return (short) ((bits + 0x7fff + (bits >>> 16 & 1)) >>> 16);
  }

  /** Combines: {@code this = this ⊕ other}; 16-bit floats stay unrounded. */
  public void combine(DataType type, ReduceOp op, Block other, int n) {
    op.requireSupports(type);
    if (type.isInteger()) {
      combineIntegers(type, op, integers, other.integers, n);
    } else {
      combineReals(op, reals, other.reals, n);
      if (type != DataType.FLOAT64) {
        for (int i = 0; i < n; i++) {
          reals[i] = (float) reals[i];
        }
      }
    }
  }

  /** Divides by a positive number. Integers round towards zero; 16-bit floats stay unrounded. */
  public void divide(DataType type, int divisor, int n) {
    if (type == DataType.UINT64) {
      for (int i = 0; i < n; i++) {
        integers[i] = Long.divideUnsigned(integers[i], divisor);
      }
    } else if (type.isInteger()) {
      for (int i = 0; i < n; i++) {
        integers[i] /= divisor;
      }
    } else {
      for (int i = 0; i < n; i++) {
        double quotient = reals[i] / divisor;
        reals[i] = type == DataType.FLOAT64 ? quotient : (float) quotient;
      }
    }
  }

  private static void combineIntegers(DataType type, ReduceOp op, long[] a, long[] b, int n) {
    long flip = type == DataType.UINT64 ? Long.MIN_VALUE : 0;
    switch (op) {
      case SUM -> {
        for (int i = 0; i < n; i++) {
          a[i] += b[i];
        }
      }
      case PROD -> {
        for (int i = 0; i < n; i++) {
          a[i] *= b[i];
        }
      }
      case MAX -> {
        for (int i = 0; i < n; i++) {
          a[i] = Math.max(a[i] ^ flip, b[i] ^ flip) ^ flip;
        }
      }
      case MIN -> {
        for (int i = 0; i < n; i++) {
          a[i] = Math.min(a[i] ^ flip, b[i] ^ flip) ^ flip;
        }
      }
      case BAND -> {
        for (int i = 0; i < n; i++) {
          a[i] &= b[i];
        }
      }
      case BOR -> {
        for (int i = 0; i < n; i++) {
          a[i] |= b[i];
        }
      }
      case BXOR -> {
        for (int i = 0; i < n; i++) {
          a[i] ^= b[i];
        }
      }
    }
    narrow(type, a, n);
  }

  /** Wraps sums and products around to the type's range; the other operations never leave it. */
  private static void narrow(DataType type, long[] a, int n) {
    int spare = 64 - 8 * type.size();
    if (spare == 0) {
      return;
    }
    if (isSigned(type)) {
      for (int i = 0; i < n; i++) {
        a[i] = a[i] << spare >> spare;
      }
    } else {
      for (int i = 0; i < n; i++) {
        a[i] = a[i] << spare >>> spare;
      }
    }
  }

  private static boolean isSigned(DataType type) {
    return type == DataType.INT8
        || type == DataType.INT16
        || type == DataType.INT32
        || type == DataType.INT64;
  }

  private static void combineReals(ReduceOp op, double[] a, double[] b, int n) {
    switch (op) {
      case SUM -> {
        for (int i = 0; i < n; i++) {
          a[i] += b[i];
        }
      }
      case PROD -> {
        for (int i = 0; i < n; i++) {
          a[i] *= b[i];
        }
      }
      case MAX -> {
        for (int i = 0; i < n; i++) {
          a[i] = Math.max(a[i], b[i]);
        }
      }
      case MIN -> {
        for (int i = 0; i < n; i++) {
          a[i] = Math.min(a[i], b[i]);
        }
      }
      case BAND, BOR, BXOR ->
          throw new TuttiException(
              ErrorCode.UNSUPPORTED_TYPE, "reduction %s takes integer types only", op);
    }
  }

  /** Whether two elements have the same value. All NaNs are the same; -0.0 and +0.0 differ. */
  public static boolean same(DataType type, Block a, Block b, int i) {
    return type.isInteger()
        ? a.integers[i] == b.integers[i]
        : Double.doubleToLongBits(a.reals[i]) == Double.doubleToLongBits(b.reals[i]);
  }

  /** One element as text. */
  public String text(DataType type, int i) {
    if (type == DataType.UINT64) {
      return Long.toUnsignedString(integers[i]);
    }
    if (type.isInteger()) {
      return Long.toString(integers[i]);
    }
    return type == DataType.FLOAT64 ? Double.toString(reals[i]) : Float.toString((float) reals[i]);
  }
}
