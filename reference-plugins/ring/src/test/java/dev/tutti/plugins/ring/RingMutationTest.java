package dev.tutti.plugins.ring;

import dev.tutti.testkit.mutation.MutationCheck;
import org.junit.jupiter.api.Test;

class RingMutationTest {

  /** A sample; docs/mutation.md has all mutants. */
  @Test
  void theStaticRulesNoticeEveryWrongActionAndRequest() {
    MutationCheck.of(new RingAllReduce()).withOneIn(100, 1).run().requireAtLeast(1);
  }
}
