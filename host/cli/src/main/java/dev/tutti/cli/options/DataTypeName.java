package dev.tutti.cli.options;

import dev.tutti.sdk.DataType;
import java.util.Locale;
import java.util.Map;

/** Finds data types by Tutti's names, and by the names in languages and other tools. */
public final class DataTypeName {

  private static final Map<String, DataType> ALIASES =
      Map.ofEntries(
          Map.entry("half", DataType.FLOAT16),
          Map.entry("fp16", DataType.FLOAT16),
          Map.entry("f16", DataType.FLOAT16),
          Map.entry("bf16", DataType.BFLOAT16),
          Map.entry("float", DataType.FLOAT32),
          Map.entry("single", DataType.FLOAT32),
          Map.entry("fp32", DataType.FLOAT32),
          Map.entry("f32", DataType.FLOAT32),
          Map.entry("double", DataType.FLOAT64),
          Map.entry("fp64", DataType.FLOAT64),
          Map.entry("f64", DataType.FLOAT64),
          Map.entry("byte", DataType.INT8),
          Map.entry("char", DataType.INT8),
          Map.entry("short", DataType.INT16),
          Map.entry("int", DataType.INT32),
          Map.entry("uint", DataType.UINT32),
          Map.entry("long", DataType.INT64),
          Map.entry("i8", DataType.INT8),
          Map.entry("i16", DataType.INT16),
          Map.entry("i32", DataType.INT32),
          Map.entry("i64", DataType.INT64),
          Map.entry("u8", DataType.UINT8),
          Map.entry("u16", DataType.UINT16),
          Map.entry("u32", DataType.UINT32),
          Map.entry("u64", DataType.UINT64));

  private DataTypeName() {}

  /**
   * The type of a name; letter case does not matter.
   *
   * @throws dev.tutti.sdk.TuttiException with {@link dev.tutti.sdk.ErrorCode#UNKNOWN_NAME}
   */
  public static DataType of(String text) {
    DataType alias = ALIASES.get(text.toLowerCase(Locale.ROOT));
    return alias == null ? DataType.fromLabel(text) : alias;
  }
}
