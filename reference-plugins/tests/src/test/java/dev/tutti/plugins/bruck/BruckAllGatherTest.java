package dev.tutti.plugins.bruck;

import static dev.tutti.testkit.assertions.TestkitAssertions.assertThat;

import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.Operation;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.testkit.junit.AllGatherTck;
import dev.tutti.testkit.junit.CaseCheck;
import dev.tutti.testkit.junit.CollectiveTest;
import dev.tutti.verifier.VirtualCluster;
import dev.tutti.verifier.matrix.CollectiveCase;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BruckAllGatherTest implements AllGatherTck<BruckAllGather> {

  @CollectiveTest(
      value = BruckAllGather.class,
      ranks = {1, 2, 6, 13, 16, 23},
      counts = {1, 2_500},
      types = DataType.FLOAT32,
      cclBufferSize = 1 << 13)
  void costsWhatItDeclares(CaseCheck check) {
    assertThat(check.report()).isClean();
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 4, 100})
  void isRightWithEveryRadix(int radix) {
    AlgOptions options = AlgOptions.none().with("radix", String.valueOf(radix));
    for (int ranks = 1; ranks <= 20; ranks++) {
      CollectiveCase c =
          CollectiveCase.of(Operation.ALL_GATHER, Topology.flat(ranks))
              .withCount(20_000)
              .withOptions(options);
      VirtualCluster cluster = VirtualCluster.builder(c).schedules(1).build();
      assertThat(cluster.check(c, List.of(new BruckAllGather()))).isClean();
    }
  }
}
