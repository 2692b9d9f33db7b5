package dev.tutti.plugins.hierarchical;

import dev.tutti.mutation.MutationCheck;
import org.junit.jupiter.api.Test;

class HierarchicalMutationTest {

  /** A sample, inside one node; docs/mutation.md has all mutants. */
  @Test
  void theStaticRulesNoticeEveryWrongActionAndRequest() {
    MutationCheck.of(new HierarchicalAllReduce())
        .withRanks(2, 4)
        .withOneIn(100, 1)
        .run()
        .requireAtLeast(1);
  }
}
