package dev.tutti.plugins.hierarchical;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.plan.GroupPlan;
import dev.tutti.plan.PlanRecorder;
import dev.tutti.plan.RankPlan;
import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.param.AllReduceParam;
import dev.tutti.sdk.topology.CommPlane;
import dev.tutti.sdk.topology.RankList;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.simulator.LinkTerms;
import dev.tutti.simulator.NetworkModel;
import dev.tutti.simulator.PerByte;
import dev.tutti.simulator.Sharing;
import dev.tutti.simulator.Simulator;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HierarchicalPlanTest {

  private static RankPlan plan(String shape, int rank, AlgOptions options) {
    return plan(new HierarchicalAllReduce(), Topology.parse(shape), options, 1000).rank(rank);
  }

  private static GroupPlan plan(
      LevelAllReduce algorithm, Topology topology, AlgOptions options, long count) {
    CommInfo comm = CommInfo.of(0, topology);
    AllReduceParam param =
        new AllReduceParam(comm, "", options, DataType.FLOAT32, ReduceOp.SUM, count, true);
    return new PlanRecorder().record("test", algorithm, param);
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

  /** The level and the rank of each peer. */
  private static List<String> links(Topology topology, RankPlan plan) {
    return peers(plan).stream()
        .map(peer -> topology.levelBetween(plan.rank(), peer) + " " + peer)
        .toList();
  }

  @Test
  void aRankOfThreeLevelsTalksOnEachLevel() {
    Topology topology = Topology.parse("2+2+2|2+2+2|2+2+2");
    GroupPlan plan = plan(new ThreeLevelAllReduce(), topology, AlgOptions.none(), 1000);

    assertThat(links(topology, plan.rank(8)))
        .containsExactlyInAnyOrder("LEVEL0 9", "LEVEL1 6", "LEVEL1 10", "LEVEL2 2", "LEVEL2 14");
  }

  @Test
  void aNodeBehindTheSmallestPodsSizeTalksToNoOtherPod() {
    Topology topology = Topology.parse("2+2|2");
    GroupPlan plan = plan(new ThreeLevelAllReduce(), topology, AlgOptions.none(), 1000);

    assertThat(links(topology, plan.rank(0)))
        .containsExactlyInAnyOrder("LEVEL0 1", "LEVEL1 2", "LEVEL2 4");
    assertThat(links(topology, plan.rank(2))).containsExactlyInAnyOrder("LEVEL0 3", "LEVEL1 0");
  }

  /** Of a fat tree whose core has a quarter of the bandwidth below it. */
  @ParameterizedTest
  @ValueSource(ints = {1 << 14, 1 << 18, 1 << 22})
  void threeLevelsAreFasterThanTwoWhereTheLinksBetweenPodsAreScarce(int count) {
    Topology pods = Topology.parse("2+2+2+2|2+2+2+2|2+2+2+2|2+2+2+2");
    Simulator fatTree =
        Simulator.of(
            NetworkModel.builder()
                .topology(pods)
                .sharing(Sharing.MAX_MIN)
                .level(CommPlane.LEVEL0, LinkTerms.of(300_000, PerByte.of(10)))
                .level(CommPlane.LEVEL1, LinkTerms.of(1_000_000, PerByte.of(40)).withOwnPort(true))
                .level(CommPlane.LEVEL2, LinkTerms.of(4_000_000, PerByte.of(40)))
                .nodeUplink(PerByte.of(20))
                .oversubscription(4)
                .build());

    long three = time(fatTree, new ThreeLevelAllReduce(), pods, count);
    long two = time(fatTree, new HierarchicalAllReduce(), pods, count);

    assertThat(two).isGreaterThan(three * 5 / 4);
  }

  private static long time(
      Simulator network, LevelAllReduce algorithm, Topology topology, int count) {
    return network.run(plan(algorithm, topology, AlgOptions.none(), count)).time();
  }
}
