package dev.tutti.plugins.direct;

import dev.tutti.mutation.MutationCheck;
import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.CollExecutorBase;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class DirectMutationTest {

  /** The V forms share all their code with the others. */
  static Stream<CollExecutorBase<?>> algorithms() {
    return Stream.of(
        new DirectAllGather(),
        new DirectReduceScatter(),
        new DirectReduce(),
        new DirectScan(),
        new DirectExclusiveScan());
  }

  @ParameterizedTest
  @MethodSource("algorithms")
  void theStaticRulesNoticeEveryWrongActionAndRequest(CollExecutorBase<?> algorithm) {
    MutationCheck.of(algorithm).withRanks(2, 5).withOneIn(100, 1).run().requireAtLeast(1);
  }

  /** A sample; docs/mutation.md has all mutants. */
  @ParameterizedTest
  @ValueSource(strings = {"one-stage", "two-stage"})
  void theStaticRulesNoticeTheSameInAllReduce(String algorithm) {
    MutationCheck.of(new DirectAllReduce())
        .withOptions(List.of(AlgOptions.none().with(StageChoice.ALGORITHM.name(), algorithm)))
        .withRanks(2, 6)
        .withOneIn(60, 1)
        .run()
        .requireAtLeast(1);
  }
}
