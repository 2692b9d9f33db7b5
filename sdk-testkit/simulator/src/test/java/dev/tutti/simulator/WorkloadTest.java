package dev.tutti.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.param.AllGatherParam;
import dev.tutti.sdk.param.AllGatherVParam;
import dev.tutti.sdk.param.AllReduceParam;
import dev.tutti.sdk.param.AllToAllParam;
import dev.tutti.sdk.param.AllToAllVParam;
import dev.tutti.sdk.param.BarrierParam;
import dev.tutti.sdk.param.BroadcastParam;
import dev.tutti.sdk.param.ExclusiveScanParam;
import dev.tutti.sdk.param.GatherParam;
import dev.tutti.sdk.param.GatherVParam;
import dev.tutti.sdk.param.OpParam;
import dev.tutti.sdk.param.ReduceParam;
import dev.tutti.sdk.param.ReduceScatterParam;
import dev.tutti.sdk.param.ReduceScatterVParam;
import dev.tutti.sdk.param.ScanParam;
import dev.tutti.sdk.param.ScatterParam;
import dev.tutti.sdk.param.ScatterVParam;
import dev.tutti.sdk.param.SendParam;
import dev.tutti.sdk.topology.CommPlane;
import dev.tutti.sdk.topology.Topology;
import java.util.List;
import org.junit.jupiter.api.Test;

class WorkloadTest {

  private static final CommInfo FOUR = CommInfo.of(0, Topology.flat(4));
  private static final DataType TYPE = DataType.INT64;
  private static final ReduceOp OP = ReduceOp.SUM;
  private static final List<Long> COUNTS = List.of(5L, 1L, 0L, 4L);

  private static void bounds(
      OpParam param, double busFactor, int steps, long bytes, long reducedBytes) {
    Workload work = Workload.of(param);
    assertThat(work.busFactor()).as("%s", param.operation()).isEqualTo(busFactor);
    assertThat(work.minSteps()).as("%s", param.operation()).isEqualTo(steps);
    assertThat(work.minBytes()).as("%s", param.operation()).isEqualTo(bytes);
    assertThat(work.minReducedBytes()).as("%s", param.operation()).isEqualTo(reducedBytes);
  }

  @Test
  void everyOperationHasItsBounds() {
    bounds(new AllReduceParam(FOUR, TYPE, OP, 100), 1.5, 2, 1200, 600);
    bounds(new ReduceParam(FOUR, TYPE, OP, 100, 0), 1, 2, 800, 600);
    bounds(new BroadcastParam(FOUR, TYPE, 100, 0), 1, 2, 800, 0);
    bounds(new ReduceScatterParam(FOUR, TYPE, OP, 100), 0.75, 2, 2400, 2400);
    bounds(new AllGatherParam(FOUR, TYPE, 100), 0.75, 2, 2400, 0);
    bounds(new GatherParam(FOUR, TYPE, 100, 0), 0.75, 2, 2400, 0);
    bounds(new ScatterParam(FOUR, TYPE, 100, 0), 0.75, 2, 2400, 0);
    bounds(new AllToAllParam(FOUR, TYPE, 100), 0.75, 2, 2400, 0);
    bounds(new ScanParam(FOUR, TYPE, OP, 100), 1, 2, 800, 600);
    bounds(new ExclusiveScanParam(FOUR, TYPE, OP, 100), 1, 2, 800, 400);
    bounds(new SendParam(FOUR, TYPE, 100, 1), 1, 1, 800, 0);
    bounds(new BarrierParam(FOUR), 1, 0, 0, 0);
  }

  @Test
  void variableCountsAreBoundByTheirBusiestRank() {
    bounds(new AllGatherVParam(FOUR, TYPE, COUNTS), 0.75, 2, 80, 0);
    bounds(new ReduceScatterVParam(FOUR, TYPE, OP, COUNTS), 0.75, 2, 80, 64);
    bounds(new GatherVParam(FOUR, TYPE, COUNTS, 3), 0.75, 2, 48, 0);
    bounds(new ScatterVParam(FOUR, TYPE, COUNTS, 3), 0.75, 2, 48, 0);
  }

  @Test
  void partsAreWholeElements() {
    bounds(new AllReduceParam(FOUR, TYPE, OP, 1), 1.5, 2, 16, 8);
  }

  @Test
  void theViewsOfAllRanksGiveTheStrongerBound() {
    AllToAllVParam first = allToAllV(0, List.of(0L, 1L, 1L), List.of(0L, 1L, 1L));
    AllToAllVParam second = allToAllV(1, List.of(1L, 0L, 5L), List.of(1L, 0L, 2L));
    AllToAllVParam third = allToAllV(2, List.of(1L, 2L, 0L), List.of(1L, 5L, 0L));
    assertThat(Workload.of(first).minBytes()).isEqualTo(16);
    assertThat(Workload.of(List.of(first, second, third)).minBytes()).isEqualTo(48);
  }

  private static AllToAllVParam allToAllV(int rank, List<Long> sent, List<Long> received) {
    CommInfo comm = CommInfo.of(rank, Topology.flat(3));
    return new AllToAllVParam(comm, "", AlgOptions.none(), TYPE, sent, received, 11, 5);
  }

  @Test
  void oneRankHasNothingToDo() {
    CommInfo one = CommInfo.of(0, Topology.flat(1));
    bounds(new AllReduceParam(one, TYPE, OP, 100), 0, 0, 0, 0);
    assertThat(Workload.of(new AllReduceParam(one, TYPE, OP, 100)).minTime(NetworkModel.machine()))
        .isZero();
  }

  @Test
  void theLeastTimeIsALatencyAndTheLargerOfPortAndUnit() {
    Workload work = Workload.of(new AllReduceParam(FOUR, TYPE, OP, 100));
    assertThat(work.minTime(NetworkModel.plain(7, PerByte.of(10), PerByte.of(3))))
        .isEqualTo(12_007);
    assertThat(work.minTime(NetworkModel.plain(7, PerByte.of(10), PerByte.of(30))))
        .isEqualTo(18_007);
  }

  @Test
  void portsOfSeveralLevelsAddTheirBandwidths() {
    CommInfo comm = CommInfo.of(0, Topology.nodes(2, 2));
    Workload work = Workload.of(new AllReduceParam(comm, TYPE, OP, 100));
    NetworkModel.Builder model =
        NetworkModel.builder()
            .topology(comm.topology())
            .level(CommPlane.LEVEL0, LinkTerms.of(7, PerByte.of(10)))
            .level(CommPlane.LEVEL1, LinkTerms.of(9, PerByte.of(40)));
    assertThat(work.minTime(model.build())).isEqualTo(12_007);
    model.level(CommPlane.LEVEL1, LinkTerms.of(9, PerByte.of(10)));
    assertThat(work.minTime(model.build())).as("one port, whatever the level").isEqualTo(12_007);
    model.level(CommPlane.LEVEL1, LinkTerms.of(9, PerByte.of(40)).withOwnPort(true));
    assertThat(work.minTime(model.build())).isEqualTo(9607);
    assertThat(work.minTime(model.topology(Topology.nodes(1, 1, 1, 1)).build())).isEqualTo(48_009);
  }

  @Test
  void noRequestIsNoWorkload() {
    assertThatThrownBy(() -> Workload.of(List.of())).hasMessageContaining("at least one rank");
  }
}
