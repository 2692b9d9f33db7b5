package dev.tutti.plugins.p2p;

import dev.tutti.mutation.MutationCheck;
import dev.tutti.sdk.AlgOptions;
import java.util.List;
import org.junit.jupiter.api.Test;

class BatchMutationTest {

  /** A sample; docs/mutation.md has all mutants. */
  @Test
  void theStaticRulesNoticeEveryWrongActionAndRequest() {
    MutationCheck.of(new BatchSendRecvExecutor())
        .withRanks(2, 4)
        .withOptions(
            List.of(
                AlgOptions.none(), AlgOptions.none().with(BatchSendRecvExecutor.CHUNK.name(), 512)))
        .withOneIn(80, 1)
        .run()
        .requireAtLeast(1);
  }
}
