package dev.tutti.plugins.scan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.plan.GroupPlan;
import dev.tutti.plan.PlanRecorder;
import dev.tutti.plan.RankPlan;
import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.param.ExclusiveScanParam;
import dev.tutti.sdk.param.ScanParam;
import dev.tutti.sdk.topology.Topology;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ScanPlanTest {

  private static final AlgOptions TWO_SEGMENTS =
      AlgOptions.none().with(Segments.SEGMENT.name(), 128);

  private static List<RankPlan> plans(
      CollExecutorBase<ScanParam> executor, AlgOptions options, int ranks, long count) {
    CommInfo comm = CommInfo.of(0, Topology.flat(ranks));
    ScanParam param = new ScanParam(comm, "", options, DataType.INT32, ReduceOp.SUM, count, false);
    return new PlanRecorder().record("scan", executor, param).ranks();
  }

  private static List<String> actions(RankPlan plan) {
    return IntStream.range(0, plan.actionCount()).mapToObj(plan::describe).toList();
  }

  @Test
  void aRankHandsOnASegmentWhileItTakesTheNext() {
    assertThat(actions(plans(new LinearScan(), TWO_SEGMENTS, 4, 64).get(2)))
        .containsExactly(
            "await READY from rank 1",
            "reduceFrom param-output[0+128] = sum int32(rank 1's param-output[0+128],"
                + " param-input[0+128])",
            "post FIN_ACK to rank 1",
            "post READY to rank 3",
            "await READY from rank 1",
            "reduceFrom param-output[128+128] = sum int32(rank 1's param-output[128+128],"
                + " param-input[128+128])",
            "post FIN_ACK to rank 1",
            "await FIN_ACK from rank 3",
            "post READY to rank 3",
            "await FIN_ACK from rank 3");
  }

  @Test
  void theFirstRankOffersItsInputBeforeItCopiesIt() {
    assertThat(actions(plans(new LinearScan(), TWO_SEGMENTS, 2, 64).get(0)))
        .containsExactly(
            "post READY to rank 1",
            "copy param-output[0+256] = param-input[0+256]",
            "await FIN_ACK from rank 1");
  }

  @Test
  void theFirstOfMoreThanTwoRanksHandsOnWhatItHasJustCopied() {
    assertThat(actions(plans(new LinearScan(), TWO_SEGMENTS, 3, 64).get(0)))
        .containsExactly(
            "post READY to rank 1",
            "copy param-output[0+128] = param-input[0+128]",
            "await FIN_ACK from rank 1",
            "post READY to rank 1",
            "copy param-output[128+128] = param-input[128+128]",
            "await FIN_ACK from rank 1");
  }

  @Test
  void theLastOfTwoRanksReadsTheInputOfTheFirstAtOnce() {
    assertThat(actions(plans(new LinearScan(), TWO_SEGMENTS, 2, 64).get(1)))
        .containsExactly(
            "await READY from rank 0",
            "reduceFrom param-output[0+256] = sum int32(rank 0's param-input[0+256],"
                + " param-input[0+256])",
            "post FIN_ACK to rank 0");
  }

  @Test
  void theHeadOfTheSecondHalfReadsInputsAlone() {
    assertThat(actions(plans(new HalvesScan(), AlgOptions.none(), 4, 32).get(2)))
        .containsExactly(
            "await READY from rank 0",
            "await READY from rank 1",
            "reduceFrom param-output[0+128] = sum int32(rank 0's param-input[0+128],"
                + " rank 1's param-input[0+128], param-input[0+128])",
            "post READY to rank 3",
            "post FIN_ACK to rank 0",
            "post FIN_ACK to rank 1",
            "await FIN_ACK from rank 3");
  }

  @Test
  void anExclusiveScanReadsIntoItsOutput() {
    CommInfo comm = CommInfo.of(0, Topology.flat(3));
    ExclusiveScanParam param =
        new ExclusiveScanParam(
            comm, "", AlgOptions.none(), DataType.INT32, ReduceOp.SUM, 32, false);
    GroupPlan plan = new PlanRecorder().record("scan", new LinearExclusiveScan(), param);

    assertThat(actions(plan.ranks().get(1)))
        .containsExactly(
            "await READY from rank 0",
            "copy param-output[0+128] = rank 0's param-input[0+128]",
            "post FIN_ACK to rank 0",
            "reduceFrom scratch[0+128] = sum int32(param-output[0+128], param-input[0+128])",
            "post READY to rank 2",
            "await FIN_ACK from rank 2");
  }

  @Test
  void recursiveDoublingTalksToTheRanksAtPowersOfTwo() {
    RankPlan plan = plans(new DoublingScan(), AlgOptions.none(), 13, 1).get(5);

    assertThat(IntStream.range(0, plan.linkCount()).map(plan::linkPeer))
        .containsExactlyInAnyOrder(4, 3, 1, 6, 7, 9);
  }

  @Test
  void theLastRankAddsTheSumOfAllBefore() {
    assertThat(actions(plans(new DoublingScan(), AlgOptions.none(), 2, 1).get(1)))
        .containsExactly(
            "await READY from rank 0",
            "copy scratch[0+4] = rank 0's param-input[0+4]",
            "post FIN_ACK to rank 0",
            "reduceFrom param-output[0+4] = sum int32(scratch[0+4], param-input[0+4])");
  }
}
