package dev.tutti.cli.options;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.sdk.Operation;
import org.junit.jupiter.api.Test;

class OperationNameTest {

  @Test
  void everyOperationHasItsName() {
    for (Operation operation : Operation.values()) {
      OperationName name = OperationName.of(operation.label());

      assertThat(name.label()).isEqualTo(operation.label());
      assertThat(name.operation())
          .isEqualTo(operation == Operation.RECEIVE ? Operation.SEND : operation);
    }
  }

  @Test
  void spellingIsForgiven() {
    assertThat(OperationName.of("All-Reduce").operation()).isEqualTo(Operation.ALL_REDUCE);
    assertThat(OperationName.of("reduce_scatter").operation()).isEqualTo(Operation.REDUCE_SCATTER);
  }

  @Test
  void anOperationHasTheShortNamesOfOtherLibraries() {
    assertThat(OperationName.of("bcast")).isEqualTo(OperationName.of("broadcast"));
    assertThat(OperationName.of("recv")).isEqualTo(OperationName.of("receive"));
    assertThat(OperationName.of("exscan")).isEqualTo(OperationName.of("exclusivescan"));
    assertThat(OperationName.of("Reduce_scatter_block"))
        .isEqualTo(OperationName.of("reducescatter"));
  }

  @Test
  void aTransferHasThreeNames() {
    for (String label : new String[] {"send", "receive", "sendreceive"}) {
      assertThat(OperationName.of(label)).isEqualTo(new OperationName(label, Operation.SEND));
    }
  }
}
