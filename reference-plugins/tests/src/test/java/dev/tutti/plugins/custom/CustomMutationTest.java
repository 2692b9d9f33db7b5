package dev.tutti.plugins.custom;

import dev.tutti.mutation.MutationCheck;
import java.util.List;
import org.junit.jupiter.api.Test;

class CustomMutationTest {

  /** A sample; docs/mutation.md has all mutants. */
  @Test
  void theStaticRulesNoticeEveryWrongActionAndRequest() {
    MutationCheck.of(new CustomAllReduce())
        .withOptions(List.of(Requests.ONE_STAGE, Requests.TWO_STAGES))
        .withOneIn(30, 1)
        .run()
        .requireAtLeast(1);
  }
}
