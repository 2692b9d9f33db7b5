package dev.tutti.plugins.direct;

import dev.tutti.sdk.AlgOptions;
import dev.tutti.testkit.mutation.MutationCheck;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DirectMutationTest {

  /** A sample; docs/mutation.md has all mutants. */
  @ParameterizedTest
  @ValueSource(strings = {"one-stage", "two-stage"})
  void theStaticRulesNoticeEveryWrongActionAndRequest(String algorithm) {
    MutationCheck.of(new DirectAllReduce())
        .withOptions(List.of(AlgOptions.none().with(StageChoice.ALGORITHM.name(), algorithm)))
        .withOneIn(30, 1)
        .run()
        .requireAtLeast(1);
  }
}
