package dev.tutti.plugins.ring;

import static dev.tutti.testkit.assertions.TestkitAssertions.assertThat;

import dev.tutti.plan.RankPlan;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.param.AllGatherParam;
import dev.tutti.testkit.junit.AllGatherTck;
import dev.tutti.testkit.junit.CaseCheck;
import dev.tutti.testkit.junit.CollectiveTest;
import java.util.stream.IntStream;
import org.assertj.core.api.Assertions;

class NeighbourExchangeAllGatherTest implements AllGatherTck<NeighbourExchangeAllGather> {

  @Override
  public boolean refuses(AllGatherParam param) {
    return param.comm().rankSize() % 2 == 1;
  }

  @CollectiveTest(
      value = NeighbourExchangeAllGather.class,
      ranks = {2, 4, 14, 16},
      counts = {1, 2_500},
      types = DataType.FLOAT32,
      cclBufferSize = 1 << 13)
  void costsWhatItDeclares(CaseCheck check) {
    assertThat(check.report()).isClean();
  }

  @CollectiveTest(
      value = NeighbourExchangeAllGather.class,
      ranks = 8,
      counts = 10,
      types = DataType.FLOAT32)
  void talksToNeighboursOnly(CaseCheck check) {
    for (RankPlan plan : check.plan().ranks()) {
      Assertions.assertThat(IntStream.range(0, plan.linkCount()).map(plan::linkPeer))
          .containsExactlyInAnyOrder((plan.rank() + 7) % 8, (plan.rank() + 1) % 8);
    }
  }
}
