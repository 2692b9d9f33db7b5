package dev.tutti.plugins.hierarchical;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.Cost;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.WorkflowMode;
import dev.tutti.sdk.param.AllReduceParam;
import dev.tutti.sdk.plan.GroupPlan;
import dev.tutti.sdk.plan.PlanRecorder;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.testkit.rule.Rule;
import dev.tutti.testkit.simulate.OptimalityCheck;
import dev.tutti.testkit.simulate.Workload;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HierarchicalCostTest {

  private final HierarchicalAllReduce hierarchical = new HierarchicalAllReduce();

  private static AllReduceParam param(CommInfo comm, AlgOptions options, long count) {
    return new AllReduceParam(comm, "", options, DataType.FLOAT32, ReduceOp.SUM, count, false);
  }

  @ParameterizedTest
  @CsvSource({"1, 10", "4, 1000", "1+1+1, 600", "2+2, 0", "2+2, 1", "4+4, 40000"})
  @CsvSource({"3+3+3, 27001", "4+4+4, 3", "8+8, 50000", "2+2|2, 20000"})
  void theDeclaredCostIsThatOfThePlan(String shape, long count) {
    for (Protocol protocol : new Protocol[] {Protocol.DIRECT, Protocol.RDMA}) {
      for (WorkflowMode mode : WorkflowMode.values()) {
        CommInfo comm =
            CommInfo.of(0, Topology.parse(shape))
                .withProtocol(protocol)
                .withMode(mode)
                .withCclBufferSize(1 << 16);
        declaresTheCostOfThePlan(param(comm, AlgOptions.none(), count));
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"2+1", "1+2", "3+1+2", "5+4", "1+1", "2+2", "4+4", "3+3+3", "5+1+2+4"})
  @CsvSource({"2+2+2+2+2", "1+2+3+4+5", "2+1|2"})
  void soItIsOfOverlappedSegmentsAndUnevenNodes(String shape) {
    for (Protocol protocol : new Protocol[] {Protocol.DIRECT, Protocol.RDMA}) {
      for (WorkflowMode mode : WorkflowMode.values()) {
        CommInfo comm =
            CommInfo.of(0, Topology.parse(shape))
                .withProtocol(protocol)
                .withMode(mode)
                .withCclBufferSize(1 << 14);
        for (int segments = 1; segments <= 4; segments++) {
          for (long count : new long[] {1, 5, 700, 9001}) {
            long bytes = Math.max(128, 4 * Math.ceilDiv(count, segments));
            AlgOptions options = AlgOptions.none().with(Segments.SEGMENT.name(), bytes);
            declaresTheCostOfThePlan(param(comm, options, count));
          }
        }
      }
    }
  }

  private void declaresTheCostOfThePlan(AllReduceParam param) {
    GroupPlan plan = new PlanRecorder().record("cost", hierarchical, param);
    Optional<Cost> declared = hierarchical.cost(param);
    assertThat(declared).isPresent();
    assertThat(OptimalityCheck.check(plan, Workload.of(param), declared))
        .as("%s", param)
        .noneMatch(finding -> finding.rule() == Rule.COST_DIFFERS);
  }
}
