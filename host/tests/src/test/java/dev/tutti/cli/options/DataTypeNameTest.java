package dev.tutti.cli.options;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.host.Errors;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ErrorCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class DataTypeNameTest {

  @ParameterizedTest
  @EnumSource(DataType.class)
  void aTypeHasItsOwnName(DataType type) {
    assertThat(DataTypeName.of(type.label())).isEqualTo(type);
  }

  @ParameterizedTest
  @CsvSource({
    "half, FLOAT16",
    "fp16, FLOAT16",
    "BF16, BFLOAT16",
    "float, FLOAT32",
    "FP32, FLOAT32",
    "double, FLOAT64",
    "f64, FLOAT64",
    "char, INT8",
    "int, INT32",
    "uint, UINT32",
    "long, INT64",
    "i32, INT32",
    "u8, UINT8",
    "U64, UINT64"
  })
  void aTypeHasTheNamesThatProgramsGiveIt(String name, DataType type) {
    assertThat(DataTypeName.of(name)).isEqualTo(type);
  }

  @Test
  void anUnknownNameIsRefused() {
    assertThat(Errors.message(ErrorCode.UNKNOWN_NAME, () -> DataTypeName.of("quad")))
        .startsWith("unknown data type 'quad'");
  }
}
