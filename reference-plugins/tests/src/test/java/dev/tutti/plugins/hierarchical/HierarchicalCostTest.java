package dev.tutti.plugins.hierarchical;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.plan.GroupPlan;
import dev.tutti.plan.PlanRecorder;
import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.Cost;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.WorkflowMode;
import dev.tutti.sdk.param.AllReduceParam;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.simulator.Workload;
import dev.tutti.verifier.resource.OptimalityCheck;
import dev.tutti.verifier.rule.Rule;
import java.util.Optional;
import org.junit.jupiter.api.Test;
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
        declaresTheCostOfThePlan(hierarchical, param(comm, AlgOptions.none(), count));
      }
    }
  }

  @Test
  void overlappedSegmentsAndUnevenNodesDeclareNone() {
    CommInfo even = CommInfo.of(0, Topology.parse("2+2"));
    CommInfo uneven = CommInfo.of(0, Topology.parse("2+1"));
    AlgOptions segments = AlgOptions.none().with(Segments.SEGMENT.name(), 128);

    assertThat(hierarchical.cost(param(even, segments, 1000))).isEmpty();
    assertThat(hierarchical.cost(param(uneven, AlgOptions.none(), 1000))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"1|1|1, 600", "2+2|2+2, 0", "2+2|2+2, 1", "4+4|4+4, 40000", "3+3+3|3+3+3, 27001"})
  void theDeclaredCostOverThreeLevelsIsThatOfThePlan(String shape, long count) {
    for (Protocol protocol : new Protocol[] {Protocol.DIRECT, Protocol.RDMA}) {
      CommInfo comm = CommInfo.of(0, Topology.parse(shape)).withProtocol(protocol);
      declaresTheCostOfThePlan(new ThreeLevelAllReduce(), param(comm, AlgOptions.none(), count));
    }
    CommInfo uneven = CommInfo.of(0, Topology.parse("2+2|2"));
    assertThat(new ThreeLevelAllReduce().cost(param(uneven, AlgOptions.none(), 100))).isEmpty();
  }

  private static void declaresTheCostOfThePlan(LevelAllReduce algorithm, AllReduceParam param) {
    GroupPlan plan = new PlanRecorder().withSources(false).record("cost", algorithm, param);
    Optional<Cost> declared = algorithm.cost(param);
    assertThat(declared).isPresent();
    assertThat(OptimalityCheck.check(plan, Workload.of(param), declared))
        .as("%s", param)
        .noneMatch(finding -> finding.rule() == Rule.COST_DIFFERS);
  }
}
