package dev.tutti.plugins.alltoall;

import dev.tutti.mutation.MutationCheck;
import dev.tutti.mutation.MutationScore;
import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.CollExecutorBase;
import java.util.List;
import org.junit.jupiter.api.Test;

class AllToAllMutationTest {

  private static final int MOST_RANKS = 4;

  /** Samples; docs/mutation.md has all mutants. */
  private static MutationScore score(CollExecutorBase<?> executor, AlgOptions... options) {
    return MutationCheck.of(executor)
        .withRanks(2, MOST_RANKS)
        .withOptions(List.of(options))
        .withOneIn(150, 1)
        .run();
  }

  @Test
  void theStaticRulesNoticeWhatIsWrongInPairwise() {
    score(new PairwiseAllToAll(), AlgOptions.none()).requireAtLeast(1);
  }

  @Test
  void theStaticRulesNoticeWhatIsWrongWithBlocksOfDifferentSizes() {
    score(new PairwiseAllToAllV(), AlgOptions.none()).requireAtLeast(1);
    score(new DirectAllToAllV(), AlgOptions.none()).requireAtLeast(1);
  }

  @Test
  void theStaticRulesNoticeWhatIsWrongInDirect() {
    score(new DirectAllToAll(), AlgOptions.none()).requireAtLeast(1);
  }

  @Test
  void theStaticRulesNoticeWhatIsWrongInBruck() {
    AlgOptions ternary = AlgOptions.none().with(BruckAllToAll.RADIX.name(), 3);
    score(new BruckAllToAll(), AlgOptions.none(), ternary).requireAtLeast(1);
  }

  /** Inside one node only. */
  @Test
  void theStaticRulesNoticeWhatIsWrongInHierarchical() {
    score(new HierarchicalAllToAll(), AlgOptions.none()).requireAtLeast(1);
  }
}
