package dev.tutti.sdk;

import java.util.Locale;

/**
 * An associative, commutative combination of two elements. Floating-point rounding makes SUM and
 * PROD depend on the order of operands; plans fix that order.
 *
 * <p>For MAX and MIN of floating-point values, NaN wins over everything and -0.0 is less than +0.0,
 * as in {@link Math#max(float, float)}. The set is open: a {@code switch} in plugin code needs a
 * {@code default}. On wires and in files an operation is written as its {@link #label()}.
 */
public enum ReduceOp {
  /** Sum. */
  SUM("sum", false),
  /** Product. */
  PROD("prod", false),
  /** Maximum. */
  MAX("max", false),
  /** Minimum. */
  MIN("min", false),
  /** Bitwise and, integers only. */
  BAND("band", true),
  /** Bitwise or, integers only. */
  BOR("bor", true),
  /** Bitwise exclusive or, integers only. */
  BXOR("bxor", true);

  private final String label;
  private final boolean bitwise;

  ReduceOp(String label, boolean bitwise) {
    this.label = label;
    this.bitwise = bitwise;
  }

  /** The stable name, for example {@code "sum"}. */
  public String label() {
    return label;
  }

  /** Whether elements of {@code type} can be combined with this operation. */
  public boolean supports(DataType type) {
    Arguments.require(type, "type");
    return !bitwise || type.isInteger();
  }

  /**
   * Refuses a type that this operation does not support.
   *
   * @throws TuttiException with {@link ErrorCode#UNSUPPORTED_TYPE} if {@link #supports} is false
   */
  public void requireSupports(DataType type) {
    Arguments.require(type, "type");
    if (!supports(type)) {
      throw new TuttiException(
          ErrorCode.UNSUPPORTED_TYPE,
          "reduction %s takes integer types only. Actual: type=%s; use sum, prod, max or min, or an"
              + " integer type",
          label,
          type.label());
    }
  }

  /**
   * The operation of a stable name; letter case does not matter.
   *
   * @throws TuttiException with {@link ErrorCode#UNKNOWN_NAME}, suggesting the nearest name
   */
  public static ReduceOp fromLabel(String label) {
    Arguments.require(label, "label");
    String wanted = label.toLowerCase(Locale.ROOT);
    for (ReduceOp op : values()) {
      if (op.label.equals(wanted)) {
        return op;
      }
    }
    throw Names.unknown("reduction", label, values(), ReduceOp::label);
  }

  @Override
  public String toString() {
    return label;
  }
}
