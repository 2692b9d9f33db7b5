package dev.tutti.verifier.data;

import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.param.OpParam;
import dev.tutti.verifier.element.Block;
import dev.tutti.verifier.semantics.OperationSemantics;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Seeded data for inputs. It differs for each seed, rank and element. Where possible, results are
 * exact in every order of operands. Immutable.
 *
 * <p>Floating-point sums get small integers. Their sums are exact for up to 85 ranks in bfloat16,
 * 128 in float16, and thousands in the wider types. Products get powers of two of either sign. Data
 * that is only moved or compared gets any bits of finite numbers. Integers get bits that keep the
 * result varied even with many operands.
 */
public final class TestData {

  private final long seed;
  private final boolean hasSpecials;

  private TestData(long seed, boolean hasSpecials) {
    this.seed = seed;
    this.hasSpecials = hasSpecials;
  }

  /** Data without NaN and infinities. */
  public static TestData of(long seed) {
    return new TestData(seed, false);
  }

  /** The same data, but one floating-point element in sixteen is NaN, an infinity or a zero. */
  public TestData withSpecials() {
    return new TestData(seed, true);
  }

  /**
   * Fills the input of a rank.
   *
   * @param param the request as that rank sees it
   * @param input the rank's input; its first {@link OpParam#inputBytes()} bytes are filled
   */
  public void fillInput(OpParam param, MemorySegment input) {
    fill(
        input.asSlice(0, param.inputBytes()),
        OperationSemantics.dataType(param),
        OperationSemantics.reduceOp(param),
        param.comm().rank());
  }

  /**
   * Fills a whole segment.
   *
   * @param segment a whole number of elements
   * @param type their type
   * @param reduceOp the reduction that will use the elements, or null if they are only moved
   * @param rank the rank whose input this is
   */
  public void fill(MemorySegment segment, DataType type, @Nullable ReduceOp reduceOp, int rank) {
    Block block = new Block();
    long state = mix(seed * 0x9E3779B97F4A7C15L + mix(rank + 1L));
    long count = segment.byteSize() / type.size();
    for (long done = 0; done < count; done += Block.SIZE) {
      int n = (int) Math.min(Block.SIZE, count - done);
      if (type.isInteger()) {
        for (int i = 0; i < n; i++) {
          block.integers[i] = integer(reduceOp, state + (done + i) * 0x9E3779B97F4A7C15L);
        }
      } else {
        for (int i = 0; i < n; i++) {
          block.reals[i] = real(type, reduceOp, mix(state + (done + i) * 0x9E3779B97F4A7C15L));
        }
      }
      block.store(type, segment, done * type.size(), n);
    }
  }

  private static long integer(@Nullable ReduceOp reduceOp, long state) {
    long bits = mix(state);
    if (reduceOp == ReduceOp.PROD) {
      return bits | 1;
    }
    if (reduceOp == ReduceOp.BAND) {
      return bits | mix(state + 1) | mix(state + 2) | mix(state + 3);
    }
    if (reduceOp == ReduceOp.BOR) {
      return bits & mix(state + 1) & mix(state + 2) & mix(state + 3);
    }
    return bits;
  }

  private double real(DataType type, @Nullable ReduceOp reduceOp, long bits) {
    if (hasSpecials && (bits & 15) == 0) {
      return special((int) (bits >>> 4 & 7));
    }
    if (reduceOp == ReduceOp.SUM) {
      int most = type == DataType.BFLOAT16 ? 3 : type == DataType.FLOAT16 ? 16 : 1000;
      return (((bits >>> 32) * (2L * most + 1)) >>> 32) - most;
    }
    if (reduceOp == ReduceOp.PROD) {
      double size = (bits & 0x30) != 0 ? 1 : (bits & 0x40) != 0 ? 2 : 0.5;
      return (bits & 0x80) != 0 ? size : -size;
    }
    return anyReal(type, bits);
  }

  private static double special(int which) {
    return switch (which) {
      case 0, 1 -> Double.NaN;
      case 2 -> Double.POSITIVE_INFINITY;
      case 3 -> Double.NEGATIVE_INFINITY;
      case 4, 5 -> -0.0;
      default -> 0.0;
    };
  }

  /** A finite number of the type, of any magnitude. */
  private static double anyReal(DataType type, long bits) {
    double value =
        switch (type) {
          case FLOAT64 -> Double.longBitsToDouble(bits);
          case FLOAT32 -> Float.intBitsToFloat((int) bits);
          case BFLOAT16 -> Float.intBitsToFloat((int) bits << 16);
          default -> Float.float16ToFloat((short) bits);
        };
    return Double.isFinite(value) ? value : bits >> 56;
  }

  /** The finaliser of SplitMix64 (Steele, Lea, Flood 2014). */
  public static long mix(long value) {
    long z = (value ^ value >>> 30) * 0xBF58476D1CE4E5B9L;
    z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
    return z ^ z >>> 31;
  }
}
