package dev.tutti.plugins.hierarchical;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.plan.PlanRecorder;
import dev.tutti.plan.RankPlan;
import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.param.AllReduceParam;
import dev.tutti.sdk.topology.RankList;
import dev.tutti.sdk.topology.Topology;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class HierarchicalPlanTest {

  private static RankPlan plan(String shape, int rank, AlgOptions options) {
    CommInfo comm = CommInfo.of(0, Topology.parse(shape));
    AllReduceParam param =
        new AllReduceParam(comm, "", options, DataType.FLOAT32, ReduceOp.SUM, 1000, true);
    return new PlanRecorder().record("test", new HierarchicalAllReduce(), param).rank(rank);
  }

  private static List<Integer> peers(RankPlan plan) {
    return IntStream.range(0, plan.linkCount()).mapToObj(plan::linkPeer).toList();
  }

  @Test
  void aRankTalksToItsNodeAndToItsNeighboursInTheLane() {
    assertThat(peers(plan("3+3+3+3", 4, AlgOptions.none()))).containsExactlyInAnyOrder(3, 5, 1, 7);
  }

  @Test
  void aRankBehindTheLastLaneTalksToTheOwnersOfItsNode() {
    assertThat(peers(plan("4+2", 3, AlgOptions.none()))).containsExactlyInAnyOrder(0, 1);
    assertThat(peers(plan("4+2", 1, AlgOptions.none()))).containsExactlyInAnyOrder(0, 2, 3, 5);
  }

  @Test
  void aLaneHasOneRankOfEachNodeInAllPods() {
    Topology topology = Topology.parse("2+3|4");

    assertThat(new Lanes(topology, 3).members()).isEqualTo(RankList.of(1, 3, 6));
    assertThat(new Lanes(topology, 4).isInLane()).isFalse();
    assertThat(new Lanes(topology, 4).number()).isEqualTo(2);
  }

  @Test
  void segmentsTakeASlaveStreamInLanesOnly() {
    AlgOptions segments = AlgOptions.none().with(Segments.SEGMENT.name(), 1024);

    assertThat(plan("3+2", 0, segments).streamCount()).isEqualTo(2);
    assertThat(plan("3+2", 2, segments).streamCount()).isEqualTo(1);
    assertThat(plan("3+2", 0, AlgOptions.none()).streamCount()).isEqualTo(1);
  }
}
