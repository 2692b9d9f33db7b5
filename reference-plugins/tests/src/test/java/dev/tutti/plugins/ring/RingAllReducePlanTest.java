package dev.tutti.plugins.ring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.plan.ActionKind;
import dev.tutti.plan.PlanRecorder;
import dev.tutti.plan.RankPlan;
import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.Cost;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.WorkflowMode;
import dev.tutti.sdk.param.AllReduceParam;
import dev.tutti.sdk.topology.Topology;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class RingAllReducePlanTest {

  private final RingAllReduce ring = new RingAllReduce();

  private static AllReduceParam param(CommInfo comm, long count, boolean inPlace) {
    return new AllReduceParam(
        comm, "", AlgOptions.none(), DataType.FLOAT32, ReduceOp.SUM, count, inPlace);
  }

  private List<RankPlan> plans(CommInfo comm, long count, boolean inPlace) {
    return new PlanRecorder().record("ring", ring, param(comm, count, inPlace)).ranks();
  }

  private static List<String> actions(RankPlan plan) {
    return IntStream.range(0, plan.actionCount()).mapToObj(plan::describe).toList();
  }

  private static CommInfo comm(int ranks) {
    return CommInfo.of(0, Topology.flat(ranks));
  }

  @Test
  void pullsOverDirectLinks() {
    assertThat(actions(plans(comm(2), 2, false).get(0)))
        .containsExactly(
            "post READY to rank 1",
            "await READY from rank 1",
            "post FIN to rank 1",
            "await FIN from rank 1",
            "reduceFrom param-output[0+4] = sum float32(param-input[0+4],"
                + " rank 1's param-input[0+4])",
            "post FIN_ACK to rank 1",
            "await FIN_ACK from rank 1",
            "post READY to rank 1",
            "await READY from rank 1",
            "post FIN to rank 1",
            "await FIN from rank 1",
            "copy param-output[4+4] = rank 1's param-output[4+4]",
            "post FIN_ACK to rank 1",
            "await FIN_ACK from rank 1");
  }

  @Test
  void pushesOverRdmaLinks() {
    assertThat(actions(plans(comm(2).withProtocol(Protocol.RDMA), 2, true).get(0)))
        .containsExactly(
            "post READY to rank 1",
            "await READY from rank 1",
            "reduce rank 1's param-output[4+4] = sum float32(itself, param-output[4+4])",
            "post FIN to rank 1",
            "await FIN from rank 1",
            "post FIN_ACK to rank 1",
            "await FIN_ACK from rank 1",
            "post READY to rank 1",
            "await READY from rank 1",
            "copy rank 1's param-output[0+4] = param-output[0+4]",
            "post FIN to rank 1",
            "await FIN from rank 1",
            "post FIN_ACK to rank 1",
            "await FIN_ACK from rank 1");
  }

  @ParameterizedTest
  @CsvSource({"2, DIRECT", "3, DIRECT", "8, DIRECT", "2, RDMA", "5, RDMA", "8, RDMA"})
  void everyRankTransfersTwoSlicesForEachOtherRank(int ranks, Protocol protocol) {
    for (RankPlan plan : plans(comm(ranks).withProtocol(protocol), 8 * ranks, false)) {
      List<Long> transfers =
          IntStream.range(0, plan.actionCount())
              .filter(action -> plan.kind(action).isData())
              .filter(action -> isBetweenRanks(plan, action))
              .mapToObj(plan::bytes)
              .toList();
      assertThat(transfers).hasSize(2 * (ranks - 1)).allMatch(bytes -> bytes == 32);
    }
  }

  private static boolean isBetweenRanks(RankPlan plan, int action) {
    return IntStream.range(0, plan.sourceCount(action))
        .anyMatch(src -> plan.srcRank(action, src) != plan.dstRank(action));
  }

  @ParameterizedTest
  @EnumSource
  void copiesOnlyOperandsThatPeersAddTo(Protocol protocol) {
    RankPlan plan = plans(comm(4).withProtocol(protocol), 32, false).getFirst();
    long copied =
        IntStream.range(0, plan.actionCount())
            .filter(action -> plan.kind(action) == ActionKind.COPY)
            .filter(action -> !isBetweenRanks(plan, action))
            .mapToLong(plan::bytes)
            .sum();

    assertThat(copied).isEqualTo(protocol == Protocol.DIRECT ? 0 : 3 * 32);
  }

  @Test
  void talksToNeighboursOnly() {
    for (RankPlan plan : plans(comm(7), 21, false)) {
      assertThat(IntStream.range(0, plan.linkCount()).map(plan::linkPeer))
          .containsExactlyInAnyOrder((plan.rank() + 6) % 7, (plan.rank() + 1) % 7);
    }
  }

  @Test
  void aSingleRankOnlyCopies() {
    assertThat(actions(plans(comm(1), 2, false).getFirst()))
        .containsExactly("copy param-output[0+8] = param-input[0+8]");
    assertThat(actions(plans(comm(1), 2, true).getFirst())).isEmpty();
  }

  @Test
  void declaresTheCostOfItsFormula() {
    assertThat(ring.cost(param(comm(4), 1000, false))).contains(new Cost(6, 6000, 3000));
    assertThat(ring.cost(param(comm(1), 1000, false))).contains(new Cost(0, 0, 0));
    assertThat(ring.cost(param(comm(4), 0, false))).contains(new Cost(0, 0, 0));
  }

  @Test
  void declaresTheStepsOfEveryRoundOfStagedMemory() {
    CommInfo staged = comm(4).withMode(WorkflowMode.OP_BASE).withCclBufferSize(400);

    assertThat(ring.cost(param(staged, 1000, false)).orElseThrow().alphas()).isEqualTo(11 * 6);
  }

  @Test
  void promisesEqualBitsOnAllRanks() {
    assertThat(ring.determinism()).isEqualTo(Determinism.SAME_RANKS);
  }
}
