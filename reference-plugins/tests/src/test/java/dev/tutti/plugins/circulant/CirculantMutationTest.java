package dev.tutti.plugins.circulant;

import dev.tutti.mutation.MutationCheck;
import dev.tutti.sdk.CollExecutorBase;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class CirculantMutationTest {

  /** The V forms share all their code with the others. */
  static Stream<CollExecutorBase<?>> algorithms() {
    return Stream.of(
        new CirculantAllGather(), new CirculantAllReduce(), new CirculantReduceScatter());
  }

  /** A sample; docs/mutation.md has all mutants. */
  @ParameterizedTest
  @MethodSource("algorithms")
  void theStaticRulesNoticeEveryWrongActionAndRequest(CollExecutorBase<?> algorithm) {
    MutationCheck.of(algorithm).withRanks(2, 5).withOneIn(150, 1).run().requireAtLeast(1);
  }
}
