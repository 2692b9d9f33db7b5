package dev.tutti.sdk;

import java.util.Locale;

/**
 * The type of one element of a buffer.
 *
 * <p>Elements are stored in the machine's native byte order. The set is open: a later version may
 * add types, so a {@code switch} in plugin code needs a {@code default}. On wires and in files a
 * type is written as its {@link #label()}, never as its ordinal.
 */
public enum DataType {
  /** Signed 8-bit integer; sums and products wrap around. */
  INT8("int8", 1, true),
  /** Signed 16-bit integer; sums and products wrap around. */
  INT16("int16", 2, true),
  /** Signed 32-bit integer; sums and products wrap around. */
  INT32("int32", 4, true),
  /** Signed 64-bit integer; sums and products wrap around. */
  INT64("int64", 8, true),
  /** Unsigned 8-bit integer; sums and products wrap around, MAX and MIN compare unsigned. */
  UINT8("uint8", 1, true),
  /** Unsigned 16-bit integer; sums and products wrap around, MAX and MIN compare unsigned. */
  UINT16("uint16", 2, true),
  /** Unsigned 32-bit integer; sums and products wrap around, MAX and MIN compare unsigned. */
  UINT32("uint32", 4, true),
  /** Unsigned 64-bit integer; sums and products wrap around, MAX and MIN compare unsigned. */
  UINT64("uint64", 8, true),
  /** IEEE 754 binary16; accumulated in float32 and rounded once to nearest even. */
  FLOAT16("float16", 2, false),
  /**
   * Brain float (upper half of binary32); accumulated in float32 and rounded once to nearest even.
   */
  BFLOAT16("bfloat16", 2, false),
  /** IEEE 754 binary32. */
  FLOAT32("float32", 4, false),
  /** IEEE 754 binary64. */
  FLOAT64("float64", 8, false);

  private final String label;
  private final int size;
  private final boolean integer;

  DataType(String label, int size, boolean integer) {
    this.label = label;
    this.size = size;
    this.integer = integer;
  }

  /** The stable name, for example {@code "float32"}. */
  public String label() {
    return label;
  }

  /** The size of one element in bytes: 1, 2, 4 or 8. */
  public int size() {
    return size;
  }

  /**
   * Whether this is an integer type, signed or unsigned; bitwise reductions support only integers.
   */
  public boolean isInteger() {
    return integer;
  }

  /**
   * The type of a stable name; letter case does not matter.
   *
   * @throws TuttiException with {@link ErrorCode#UNKNOWN_NAME}, suggesting the nearest name
   */
  public static DataType fromLabel(String label) {
    Arguments.require(label, "label");
    String wanted = label.toLowerCase(Locale.ROOT);
    for (DataType type : values()) {
      if (type.label.equals(wanted)) {
        return type;
      }
    }
    throw Names.unknown("data type", label, values(), DataType::label);
  }

  @Override
  public String toString() {
    return label;
  }
}
