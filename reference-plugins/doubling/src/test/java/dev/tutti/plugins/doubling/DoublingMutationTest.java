package dev.tutti.plugins.doubling;

import dev.tutti.testkit.mutation.MutationCheck;
import org.junit.jupiter.api.Test;

class DoublingMutationTest {

  /** A sample; docs/mutation.md has all mutants. */
  @Test
  void theStaticRulesNoticeEveryWrongActionAndRequest() {
    MutationCheck.of(new DoublingAllReduce()).withOneIn(30, 1).run().requireAtLeast(1);
  }
}
