package dev.tutti.plugins.tree;

import dev.tutti.mutation.MutationCheck;
import dev.tutti.sdk.CollExecutorBase;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class TreeMutationTest {

  static Stream<CollExecutorBase<?>> executors() {
    return TreeCostTest.executors();
  }

  /** A sample; docs/mutation.md has all mutants. */
  @ParameterizedTest
  @MethodSource("executors")
  void theStaticRulesNoticeEveryWrongActionAndRequest(CollExecutorBase<?> executor) {
    MutationCheck.of(executor).withOneIn(500, 1).run().requireAtLeast(1);
  }

  static Stream<CollExecutorBase<?>> forBlocksOfDifferentSizes() {
    return Stream.of(
        new BinomialGatherV(), new BinomialScatterV(), new LinearGatherV(), new LinearScatterV());
  }

  @ParameterizedTest
  @MethodSource("forBlocksOfDifferentSizes")
  void theyNoticeEveryWrongActionOnBlocksOfDifferentSizes(CollExecutorBase<?> executor) {
    MutationCheck.of(executor).withOneIn(200, 1).run().requireAtLeast(1);
  }
}
