package dev.tutti.plugins.p2p;

import dev.tutti.mutation.MutationCheck;
import dev.tutti.sdk.AlgOptions;
import java.util.List;
import org.junit.jupiter.api.Test;

class TransferMutationTest {

  /** A sample; docs/mutation.md has all mutants. */
  @Test
  void theStaticRulesNoticeEveryWrongActionAndRequest() {
    MutationCheck.of(new SendExecutor(), new ReceiveExecutor())
        .withOptions(
            List.of(AlgOptions.none(), AlgOptions.none().with(ChunkLoop.CHUNK.name(), 512)))
        .withOneIn(10, 1)
        .run()
        .requireAtLeast(1);
  }
}
