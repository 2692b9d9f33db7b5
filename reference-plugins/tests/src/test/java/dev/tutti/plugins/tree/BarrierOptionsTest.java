package dev.tutti.plugins.tree;

import dev.tutti.mutation.MutationCheck;
import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.Operation;
import dev.tutti.sdk.param.BarrierParam;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.verifier.VirtualCluster;
import dev.tutti.verifier.matrix.CollectiveCase;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class BarrierOptionsTest {

  static Stream<Arguments> barriers() {
    return Stream.of(
        Arguments.of(new TreeBarrier(), options(TreeBarrier.FAN_OUT.name(), 1, 2, 4, 65_536)),
        Arguments.of(
            new DisseminationBarrier(), options(DisseminationBarrier.RADIX.name(), 2, 3, 65_536)));
  }

  private static List<AlgOptions> options(String name, int... values) {
    return Arrays.stream(values).mapToObj(value -> AlgOptions.none().with(name, value)).toList();
  }

  @ParameterizedTest
  @MethodSource("barriers")
  void isRightForEveryNumberOfRanks(
      CollExecutorBase<BarrierParam> barrier, List<AlgOptions> options) {
    for (int ranks = 1; ranks <= 33; ranks++) {
      CollectiveCase c = CollectiveCase.of(Operation.BARRIER, Topology.flat(ranks));
      for (AlgOptions choice : options) {
        CollectiveCase chosen = c.withOptions(choice);
        VirtualCluster.builder(chosen)
            .schedules(1)
            .stress(0)
            .build()
            .check(chosen, List.of(barrier))
            .requireClean();
      }
    }
  }

  @ParameterizedTest
  @MethodSource("barriers")
  void everyWrongSignalIsNoticed(CollExecutorBase<BarrierParam> barrier, List<AlgOptions> options) {
    MutationCheck.of(barrier).withOptions(options).withOneIn(100, 1).run().requireAtLeast(1);
  }
}
