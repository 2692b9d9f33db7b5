package dev.tutti.plugins.reproducible;

import dev.tutti.mutation.MutationCheck;
import org.junit.jupiter.api.Test;

class ReproducibleMutationTest {

  /** A sample; docs/mutation.md has all mutants. */
  @Test
  void theStaticRulesNoticeEveryWrongActionAndRequest() {
    MutationCheck.of(new ReproducibleAllReduce())
        .withRanks(2, 4)
        .withOneIn(100, 1)
        .run()
        .requireAtLeast(1);
  }
}
