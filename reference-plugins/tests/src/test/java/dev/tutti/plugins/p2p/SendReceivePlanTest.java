package dev.tutti.plugins.p2p;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.plan.GroupPlan;
import dev.tutti.plan.PlanRecorder;
import dev.tutti.plan.RankPlan;
import dev.tutti.plan.RankProgram;
import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.WorkflowMode;
import dev.tutti.sdk.param.ReceiveParam;
import dev.tutti.sdk.param.SendParam;
import dev.tutti.sdk.topology.Topology;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SendReceivePlanTest {

  private static final int SENDER = 2;
  private static final int RECEIVER = 0;
  private static final CommInfo COMM = CommInfo.of(0, Topology.flat(3));

  private static GroupPlan plan(CommInfo comm, AlgOptions options, long count) {
    CommInfo sender = comm.withRank(SENDER);
    CommInfo receiver = comm.withRank(RECEIVER);
    return new PlanRecorder()
        .record(
            "chunked",
            List.of(
                RankProgram.of(
                    new ReceiveExecutor(),
                    new ReceiveParam(receiver, "", options, DataType.INT32, count, SENDER)),
                RankProgram.idle(comm.withRank(1)),
                RankProgram.of(
                    new SendExecutor(),
                    new SendParam(sender, "", options, DataType.INT32, count, RECEIVER))));
  }

  private static List<String> actions(RankPlan plan) {
    return IntStream.range(0, plan.actionCount()).mapToObj(plan::describe).toList();
  }

  private static List<String> data(RankPlan plan) {
    return actions(plan).stream().filter(action -> action.startsWith("copy")).toList();
  }

  @Test
  void theReceiverPullsOverDirectLinks() {
    GroupPlan plan = plan(COMM, AlgOptions.none(), 2);

    assertThat(actions(plan.rank(SENDER)))
        .containsExactly(
            "post READY to rank 0",
            "await READY from rank 0",
            "post FIN to rank 0",
            "await FIN from rank 0",
            "post FIN_ACK to rank 0",
            "await FIN_ACK from rank 0");
    assertThat(actions(plan.rank(RECEIVER)))
        .containsExactly(
            "post READY to rank 2",
            "await READY from rank 2",
            "post FIN to rank 2",
            "await FIN from rank 2",
            "copy param-output[0+8] = rank 2's param-input[0+8]",
            "post FIN_ACK to rank 2",
            "await FIN_ACK from rank 2");
  }

  @Test
  void theSenderPushesOverRdmaLinks() {
    GroupPlan plan = plan(COMM.withProtocol(Protocol.RDMA), AlgOptions.none(), 2);

    assertThat(actions(plan.rank(SENDER)))
        .containsExactly(
            "post READY to rank 0",
            "await READY from rank 0",
            "copy rank 0's param-output[0+8] = param-input[0+8]",
            "post FIN to rank 0",
            "await FIN from rank 0",
            "post FIN_ACK to rank 0",
            "await FIN_ACK from rank 0");
    assertThat(data(plan.rank(RECEIVER))).isEmpty();
  }

  @Test
  void cutsAMessageIntoChunks() {
    GroupPlan plan = plan(COMM, AlgOptions.none().with("chunk", "130"), 65);

    assertThat(data(plan.rank(RECEIVER)))
        .containsExactly(
            "copy param-output[0+128] = rank 2's param-input[0+128]",
            "copy param-output[128+128] = rank 2's param-input[128+128]",
            "copy param-output[256+4] = rank 2's param-input[256+4]");
  }

  @Test
  void stagesPrivateMemoryRoundByRound() {
    CommInfo staged = COMM.withMode(WorkflowMode.OP_BASE).withCclBufferSize(256);
    GroupPlan plan = plan(staged, AlgOptions.none(), 65);

    assertThat(data(plan.rank(SENDER)))
        .containsExactly(
            "copy ccl-input[0+256] = param-input[0+256]",
            "copy ccl-input[0+4] = param-input[256+4]");
    assertThat(data(plan.rank(RECEIVER)))
        .containsExactly(
            "copy ccl-output[0+256] = rank 2's ccl-input[0+256]",
            "copy param-output[0+256] = ccl-output[0+256]",
            "copy ccl-output[0+4] = rank 2's ccl-input[0+4]",
            "copy param-output[256+4] = ccl-output[0+4]");
  }

  @Test
  void theOtherRanksTakeNoPart() {
    assertThat(plan(COMM, AlgOptions.none(), 2).rank(1).actionCount()).isZero();
  }

  @Test
  void bothSidesTakeTheSameParameters() {
    assertThat(new SendExecutor().parameters()).isEqualTo(new ReceiveExecutor().parameters());
  }

  @Test
  void promiseEqualBitsAtAllSizes() {
    assertThat(new SendExecutor().determinism()).isEqualTo(Determinism.SAME_SIZES);
    assertThat(new ReceiveExecutor().determinism()).isEqualTo(Determinism.SAME_SIZES);
  }
}
