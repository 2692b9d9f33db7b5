package dev.tutti.plugins.circulant;

import dev.tutti.mutation.MutationCheck;
import dev.tutti.sdk.AlgOptions;
import java.util.List;
import org.junit.jupiter.api.Test;

class CirculantBroadcastMutationTest {

  /** A sample; docs/mutation.md has all mutants. */
  @Test
  void theStaticRulesNoticeEveryWrongActionAndRequest() {
    MutationCheck.of(new CirculantBroadcast())
        .withOptions(
            List.of(AlgOptions.none(), AlgOptions.none().with(CirculantBroadcast.BLOCKS.name(), 5)))
        .withOneIn(300, 1)
        .run()
        .requireAtLeast(1);
  }
}
