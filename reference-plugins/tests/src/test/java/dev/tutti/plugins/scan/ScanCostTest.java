package dev.tutti.plugins.scan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.plan.PlanRecorder;
import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.Cost;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.WorkflowMode;
import dev.tutti.sdk.param.ExclusiveScanParam;
import dev.tutti.sdk.param.OpParam;
import dev.tutti.sdk.param.ScanParam;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.simulator.PlanCost;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScanCostTest {

  private static ScanParam scan(CommInfo comm, AlgOptions options, long count) {
    return new ScanParam(comm, "", options, DataType.FLOAT32, ReduceOp.SUM, count, false);
  }

  private static ExclusiveScanParam exclusiveScan(CommInfo comm, AlgOptions options, long count) {
    return new ExclusiveScanParam(comm, "", options, DataType.FLOAT32, ReduceOp.SUM, count, true);
  }

  /** No slice is rounded here, so the declared cost has to be exact. */
  private static <P extends OpParam> void declaresTheCostOfThePlan(
      CollExecutorBase<P> executor, P param) {
    Optional<Cost> declared = executor.cost(param);

    assertThat(declared)
        .as("%s %s %s", executor.getClass().getSimpleName(), param.comm(), param.options())
        .contains(
            PlanCost.of(new PlanRecorder().withSources(false).record("cost", executor, param))
                .coefficients());
  }

  @ParameterizedTest
  @CsvSource({"1, 1000", "2, 0", "2, 1024", "3, 1", "4, 64", "5, 1024", "6, 512", "7, 96", "9, 8"})
  @CsvSource({"12, 32", "13, 32", "16, 640", "24, 2048", "25, 1"})
  void theDeclaredCostIsThatOfThePlan(int ranks, long count) {
    for (Protocol protocol : new Protocol[] {Protocol.DIRECT, Protocol.RDMA}) {
      for (WorkflowMode mode : WorkflowMode.values()) {
        CommInfo comm =
            CommInfo.of(0, Topology.flat(ranks))
                .withProtocol(protocol)
                .withMode(mode)
                .withCclBufferSize(1024);
        AlgOptions none = AlgOptions.none();
        AlgOptions segments = none.with(Segments.SEGMENT.name(), 128);
        declaresTheCostOfThePlan(new DoublingScan(), scan(comm, none, count));
        if (4 * count <= comm.cclBufferSize() || mode == WorkflowMode.GRAPH) {
          declaresTheCostOfThePlan(new DoublingExclusiveScan(), exclusiveScan(comm, none, count));
        }
        declaresTheCostOfThePlan(new LinearScan(), scan(comm, segments, count));
        declaresTheCostOfThePlan(new LinearExclusiveScan(), exclusiveScan(comm, segments, count));
      }
    }
  }

  @Test
  void severalRoundsOfAnExclusiveScanAndHalvesDeclareNone() {
    CommInfo comm =
        CommInfo.of(0, Topology.flat(4)).withMode(WorkflowMode.OP_BASE).withCclBufferSize(1024);

    assertThat(new DoublingExclusiveScan().cost(exclusiveScan(comm, AlgOptions.none(), 773)))
        .isEmpty();
    assertThat(new HalvesScan().cost(scan(comm, AlgOptions.none(), 4))).isEmpty();
  }
}
