package dev.tutti.plugins.ring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.plan.GroupPlan;
import dev.tutti.plan.PlanRecorder;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RingCostTest {

  private final RingAllReduce ring = new RingAllReduce();

  @ParameterizedTest
  @CsvSource({"1, 1000", "2, 0", "4, 1", "4, 1000", "7, 1001", "16, 100000"})
  void theDeclaredCostIsThatOfThePlan(int ranks, long count) {
    for (Protocol protocol : new Protocol[] {Protocol.DIRECT, Protocol.RDMA}) {
      for (WorkflowMode mode : WorkflowMode.values()) {
        CommInfo comm =
            CommInfo.of(0, Topology.flat(ranks))
                .withProtocol(protocol)
                .withMode(mode)
                .withCclBufferSize(1 << 16);
        AllReduceParam param = new AllReduceParam(comm, DataType.FLOAT32, ReduceOp.SUM, count);
        GroupPlan plan = new PlanRecorder().withSources(false).record("ring", ring, param);
        Optional<Cost> declared = ring.cost(param);
        assertThat(declared).isPresent();
        assertThat(OptimalityCheck.check(plan, Workload.of(param), declared))
            .as("%s %s", protocol, mode)
            .noneMatch(finding -> finding.rule() == Rule.COST_DIFFERS);
      }
    }
  }
}
