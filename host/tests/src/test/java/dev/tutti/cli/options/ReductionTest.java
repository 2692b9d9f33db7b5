package dev.tutti.cli.options;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.host.Errors;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.ReduceOp;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReductionTest {

  @Test
  void aReductionHasItsOwnName() {
    for (Reduction reduction : Reduction.all()) {
      assertThat(Reduction.fromLabel(reduction.label())).isEqualTo(reduction);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "add, sum",
    "mul, prod",
    "product, prod",
    "minimum, min",
    "Maximum, max",
    "mean, avg",
    "average, avg",
    "and, band",
    "or, bor",
    "XOR, bxor"
  })
  void aReductionHasTheNamesThatProgramsGiveIt(String name, String label) {
    assertThat(Reduction.fromLabel(name).label()).isEqualTo(label);
  }

  @Test
  void commandsThatInspectAlgorithmsTakeTheSameNames() {
    assertThat(Reduction.ofAlgorithm("product")).isEqualTo(ReduceOp.PROD);
    assertThat(Errors.message(ErrorCode.UNSUPPORTED, () -> Reduction.ofAlgorithm("mean")))
        .contains("--op mean");
  }
}
