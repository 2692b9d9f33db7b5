package dev.tutti.plugins.doubling;

import dev.tutti.mutation.MutationCheck;
import dev.tutti.sdk.CollExecutorBase;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class DoublingMutationTest {

  /** The V forms share all their code with the others. */
  static Stream<CollExecutorBase<?>> algorithms() {
    return Stream.of(
        new DoublingAllReduce(),
        new HalvingDoublingAllReduce(),
        new DoublingAllGather(),
        new HalvingReduceScatter());
  }

  /** A sample; docs/mutation.md has all mutants. */
  @ParameterizedTest
  @MethodSource("algorithms")
  void theStaticRulesNoticeEveryWrongActionAndRequest(CollExecutorBase<?> algorithm) {
    MutationCheck.of(algorithm).withRanks(2, 5).withOneIn(60, 1).run().requireAtLeast(1);
  }
}
