package dev.tutti.cli.options;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.host.Errors;
import dev.tutti.sdk.ErrorCode;
import org.junit.jupiter.api.Test;

class RequestNameTest {

  @Test
  void anOperationIsNamedAloneOrWithAnAlgorithm() {
    assertThat(RequestName.of("all-gather"))
        .isEqualTo(new RequestName(OperationName.of("allgather"), null));
    assertThat(RequestName.of("allreduce/ring"))
        .isEqualTo(new RequestName(OperationName.of("allreduce"), "ring"));
    assertThat(RequestName.of("allreduce/org.example:ring").algorithm())
        .isEqualTo("org.example:ring");
  }

  @Test
  void anAlgorithmAloneIsRefusedWithAnExample() {
    assertThat(Errors.message(ErrorCode.UNKNOWN_NAME, () -> RequestName.of("ring")))
        .startsWith("unknown operation 'ring'")
        .endsWith("; an algorithm goes with its operation, as in allreduce/ring");
  }

  @Test
  void whatBeginsWithNoOperationIsRefused() {
    assertThat(Errors.message(ErrorCode.UNKNOWN_NAME, () -> RequestName.of("alreduce/ring")))
        .startsWith("unknown operation 'alreduce'; did you mean 'allreduce'?");
  }
}
