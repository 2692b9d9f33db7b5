package dev.tutti.plugins.tree;

import dev.tutti.sdk.CollExecutorBase;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class TreeCostTest {

  static Stream<CollExecutorBase<?>> executors() {
    return Stream.of(
        new BinomialBroadcast(),
        new BinomialReduce(),
        new BinomialGather(),
        new BinomialScatter(),
        new ChainBroadcast(),
        new ChainReduce(),
        new LinearGather(),
        new LinearScatter(),
        new RabenseifnerReduce(),
        new ScatterAllGatherBroadcast());
  }

  @ParameterizedTest
  @MethodSource("executors")
  void theDeclaredCostIsThatOfThePlan(CollExecutorBase<?> executor) {
    Costs.check(executor);
  }

  static Stream<CollExecutorBase<?>> forBlocksOfDifferentSizes() {
    return Stream.of(new LinearGatherV(), new LinearScatterV());
  }

  @ParameterizedTest
  @MethodSource("forBlocksOfDifferentSizes")
  void soItIsForBlocksOfDifferentSizes(CollExecutorBase<?> executor) {
    Costs.check(executor);
  }
}
