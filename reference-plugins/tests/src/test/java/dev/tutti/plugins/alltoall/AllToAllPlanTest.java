package dev.tutti.plugins.alltoall;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.plan.PlanRecorder;
import dev.tutti.plan.RankPlan;
import dev.tutti.plan.RankProgram;
import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.param.AllToAllParam;
import dev.tutti.sdk.param.AllToAllVParam;
import dev.tutti.sdk.param.OpParam;
import dev.tutti.sdk.topology.Topology;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class AllToAllPlanTest {

  private static CommInfo comm(int ranks, Protocol protocol) {
    return CommInfo.of(0, Topology.flat(ranks)).withProtocol(protocol);
  }

  private static <P extends OpParam> RankPlan plan(CollExecutorBase<P> executor, P param) {
    return new PlanRecorder().record("test", executor, param).rank(0);
  }

  private static List<String> actions(RankPlan plan) {
    return IntStream.range(0, plan.actionCount()).mapToObj(plan::describe).toList();
  }

  @Test
  void aBlockTakesTwoSignalsOverDirectLinks() {
    AllToAllParam param = new AllToAllParam(comm(2, Protocol.DIRECT), DataType.FLOAT32, 1);

    assertThat(actions(plan(new PairwiseAllToAll(), param)))
        .containsExactly(
            "copy param-output[0+4] = param-input[0+4]",
            "post READY to rank 1",
            "await READY from rank 1",
            "copy param-output[4+4] = rank 1's param-input[0+4]",
            "post FIN_ACK to rank 1",
            "await FIN_ACK from rank 1");
  }

  @Test
  void aBlockTakesTwoSignalsOverRdmaLinks() {
    AllToAllParam param = new AllToAllParam(comm(2, Protocol.RDMA), DataType.FLOAT32, 1);

    assertThat(actions(plan(new PairwiseAllToAll(), param)))
        .containsExactly(
            "copy param-output[0+4] = param-input[0+4]",
            "post READY to rank 1",
            "await READY from rank 1",
            "copy rank 1's param-output[0+4] = param-input[4+4]",
            "post FIN to rank 1",
            "await FIN from rank 1");
  }

  @Test
  void directLoadsNothingBeforeItHasAnnouncedEverything() {
    AllToAllParam param = new AllToAllParam(comm(3, Protocol.DIRECT), DataType.FLOAT32, 1);

    assertThat(actions(plan(new DirectAllToAll(), param)))
        .containsExactly(
            "copy param-output[0+4] = param-input[0+4]",
            "post READY to rank 1",
            "post READY to rank 2",
            "await READY from rank 2",
            "copy param-output[8+4] = rank 2's param-input[0+4]",
            "post FIN_ACK to rank 2",
            "await READY from rank 1",
            "copy param-output[4+4] = rank 1's param-input[0+4]",
            "post FIN_ACK to rank 1",
            "await FIN_ACK from rank 1",
            "await FIN_ACK from rank 2");
  }

  @Test
  void bruckMovesABlockOnceForEachDigitOfItsDistance() {
    assertThat(BruckSchedule.of(6, 2).steps())
        .containsExactly(
            new BruckSchedule.Step(4, List.of(4, 5)),
            new BruckSchedule.Step(2, List.of(2, 3)),
            new BruckSchedule.Step(1, List.of(1, 3, 5)));
    assertThat(BruckSchedule.of(6, 3).distances()).containsExactly(3, 1, 2);
    assertThat(BruckSchedule.of(1, 2).steps()).isEmpty();
  }

  @Test
  void bruckTalksToFewRanks() {
    AllToAllParam param = new AllToAllParam(comm(64, Protocol.DIRECT), DataType.FLOAT32, 1);

    assertThat(plan(new BruckAllToAll(), param).linkCount()).isEqualTo(11);
  }

  @Test
  void aNodeSendsOneMessageToEachRankOfAnotherNode() {
    CommInfo comm = CommInfo.of(0, Topology.parse("2+3"));
    RankPlan plan =
        new PlanRecorder()
            .record(
                "hierarchical",
                new HierarchicalAllToAll(),
                new AllToAllParam(comm, DataType.FLOAT32, 1))
            .rank(4);

    assertThat(actions(plan).stream().filter(action -> action.contains("= rank ")))
        .containsExactly(
            "copy scratch[4+4] = rank 3's scratch[16+4]",
            "copy scratch[0+4] = rank 2's scratch[16+4]",
            "copy param-output[0+8] = rank 0's scratch[12+8]");
  }

  @Test
  void aRankOfASmallNodeCarriesForSeveralOfALargeOne() {
    Carriers carriers = new Carriers(Topology.parse("2+3"));

    assertThat(carriers.destinations(0)).containsExactly(0, 2, 4);
    assertThat(carriers.destinations(3)).containsExactly(1, 3);
    assertThat(carriers.carrier(0, 4)).isZero();
    assertThat(carriers.turn(0, 4)).isEqualTo(1);
  }

  @Test
  void ranksThatHaveNothingForEachOtherNeedNoLink() {
    PlanRecorder recorder = new PlanRecorder();
    List<RankProgram> programs =
        IntStream.range(0, 3)
            .mapToObj(rank -> comm(3, Protocol.DIRECT).withRank(rank))
            .map(comm -> RankProgram.of(new PairwiseAllToAllV(), towardsRankZero(comm)))
            .toList();

    List<RankPlan> plans = recorder.record("pairwise", programs).ranks();

    assertThat(plans).extracting(RankPlan::linkCount).containsExactly(2, 1, 1);
  }

  /** Ranks 1 and 2 send 200 bytes to rank 0. */
  private static AllToAllVParam towardsRankZero(CommInfo comm) {
    List<Long> sent = comm.rank() == 0 ? List.of(0L, 0L, 0L) : List.of(50L, 0L, 0L);
    List<Long> received = comm.rank() == 0 ? List.of(0L, 50L, 50L) : List.of(0L, 0L, 0L);
    AlgOptions options = AlgOptions.none().with(PairwiseAllToAllV.CHUNK.name(), 128);
    return new AllToAllVParam(comm, "", options, DataType.FLOAT32, sent, received, 100, 50);
  }
}
