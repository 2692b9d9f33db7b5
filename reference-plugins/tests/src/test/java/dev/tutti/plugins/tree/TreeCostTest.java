package dev.tutti.plugins.tree;

import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.param.GatherVParam;
import dev.tutti.sdk.param.ScatterVParam;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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
        new LinearBroadcast(),
        new LinearGather(),
        new LinearReduce(),
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
    return Stream.of(
        new LinearGatherV(), new LinearScatterV(), new BinomialGatherV(), new BinomialScatterV());
  }

  @ParameterizedTest
  @MethodSource("forBlocksOfDifferentSizes")
  void soItIsForBlocksOfDifferentSizes(CollExecutorBase<?> executor) {
    Costs.check(executor);
  }

  @ParameterizedTest
  @CsvSource({"1, 0", "2, 1", "3, 2", "5, 0", "8, 3", "13, 8"})
  void binomialTreesOfDifferentBlocksDeclareItIfAllAreEqual(int ranks, int root) {
    for (long count : List.of(0L, 1L, 10_001L)) {
      List<Long> counts = Collections.nCopies(ranks, count);
      for (CommInfo comm : Costs.groups(ranks)) {
        AlgOptions none = AlgOptions.none();
        Costs.checkEqualBlocks(
            new BinomialGatherV(),
            new GatherVParam(comm, "", none, DataType.FLOAT32, counts, root));
        Costs.checkEqualBlocks(
            new BinomialScatterV(),
            new ScatterVParam(comm, "", none, DataType.FLOAT32, counts, root));
      }
    }
  }
}
