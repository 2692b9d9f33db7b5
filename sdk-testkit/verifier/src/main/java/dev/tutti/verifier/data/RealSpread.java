package dev.tutti.verifier.data;

import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.TuttiException;
import dev.tutti.verifier.element.Block;

/**
 * The values that floating-point sums, averages or products may have over all orders of their
 * operands, for a block of elements. Not thread-safe.
 */
final class RealSpread {

  /*
   * With unit roundoff u, a sum of p operands in any order is off by at most γ(p-1)·Σ|x|, and a
   * product by γ(p-1)·|Πx|, where γ(n) = nu/(1-nu) (Higham, Accuracy and Stability, 3.1 and 4.2).
   * The tolerance is (p-1)·2u. It covers γ up to nu = 1/2. For float64 it also covers the error of
   * the reference, which is a float64 sum itself. If all operands are integers and no partial
   * result can exceed the significand, every order is exact, and the result must be exact, too. If
   * a partial result could overflow or underflow in some order, any result is accepted, but NaN
   * operands must give NaN. An average is a sum that is rounded, divided and rounded once more.
   * With an exact sum, an error of half a unit remains: u·|quotient|.
   */
  private final DataType type;
  private final boolean isSum;
  private final int operands;
  private final int divisor;
  private final double epsilon;
  private final double exactLimit;
  private final double max;
  private final double minNormal;

  private final double[] value = new double[Block.SIZE];
  private final double[] magnitude = new double[Block.SIZE];

  /** Whether all operands are integers, as far as magnitudes up to the exact limit go. */
  private final boolean[] isWhole = new boolean[Block.SIZE];

  RealSpread(DataType type, ReduceOp op, int operands, int divisor) {
    this.type = type;
    this.isSum = op == ReduceOp.SUM;
    this.operands = operands;
    this.divisor = divisor;
    int precision = precision(type);
    this.epsilon = Math.scalb(1.0, 1 - precision);
    this.exactLimit = Math.scalb(1.0, precision);
    int maxExponent = type == DataType.FLOAT64 ? 1023 : type == DataType.FLOAT16 ? 15 : 127;
    this.max = (2 - epsilon) * Math.scalb(1.0, maxExponent);
    this.minNormal = Math.scalb(1.0, 1 - maxExponent);
  }

  /** The bits of the significand, the hidden bit included. */
  private static int precision(DataType type) {
    return switch (type) {
      case FLOAT16 -> 11;
      case BFLOAT16 -> 8;
      case FLOAT32 -> 24;
      case FLOAT64 -> 53;
      case INT8, INT16, INT32, INT64, UINT8, UINT16, UINT32, UINT64 ->
          throw new TuttiException(
              ErrorCode.UNSUPPORTED_TYPE, "%s is not a floating-point type", type);
    };
  }

  void start(Block first, int n) {
    double[] x = first.reals;
    for (int i = 0; i < n; i++) {
      value[i] = x[i];
      magnitude[i] = isSum ? Math.abs(x[i]) : Math.max(1, Math.abs(x[i]));
      isWhole[i] = isWhole(x[i]);
    }
  }

  void add(Block next, int n) {
    double[] x = next.reals;
    for (int i = 0; i < n; i++) {
      isWhole[i] &= isWhole(x[i]);
    }
    if (isSum) {
      for (int i = 0; i < n; i++) {
        value[i] += x[i];
        magnitude[i] += Math.abs(x[i]);
      }
    } else {
      for (int i = 0; i < n; i++) {
        value[i] *= x[i];
        magnitude[i] *= Math.max(1, Math.abs(x[i]));
      }
    }
  }

  /** Whether a number is an integer; false for some that are beyond the range of {@code long}. */
  private static boolean isWhole(double x) {
    return x == (long) x;
  }

  double tolerance(int i) {
    boolean isExact = isWhole[i] && magnitude[i] <= exactLimit;
    double bound =
        isExact ? 0 : (operands - 1) * epsilon * (isSum ? magnitude[i] : Math.abs(value[i]));
    if (divisor > 1) {
      double size = Math.max(Math.abs(expected(i)), minNormal);
      bound = bound / divisor + (isExact ? epsilon / 2 : epsilon) * size;
    }
    return Double.isFinite(bound) ? bound : 0;
  }

  private double expected(int i) {
    return value[i] / divisor;
  }

  /** Whether a result is in the expected range, if no partial result overflows or underflows. */
  boolean accepts(int i, double actual) {
    double expected = expected(i);
    return actual == expected
        || Math.abs(actual - expected) <= tolerance(i)
        || (Double.isNaN(actual) && Double.isNaN(expected));
  }

  /** Whether some order of the operands can make a partial result overflow or underflow. */
  boolean isExtreme(double[] values) {
    double large = isSum ? 0 : 1;
    double small = 1;
    for (double x : values) {
      if (Double.isNaN(x)) {
        return false;
      }
      double size = Math.abs(x);
      if (Double.isInfinite(size) || size == 0) {
        continue;
      }
      if (isSum) {
        large += size;
      } else if (size > 1) {
        large *= size;
      } else {
        small *= size;
      }
    }
    return large * (1 + operands * epsilon) > max || (!isSum && small < minNormal);
  }

  /** The expected value, as text. */
  String text(int i) {
    double tolerance = tolerance(i);
    double expected = expected(i);
    String text =
        type == DataType.FLOAT64 ? Double.toString(expected) : Float.toString((float) expected);
    return tolerance == 0 ? text : text + " ± " + (float) tolerance;
  }
}
