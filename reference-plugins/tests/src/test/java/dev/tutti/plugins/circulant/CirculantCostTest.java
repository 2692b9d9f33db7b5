package dev.tutti.plugins.circulant;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.plan.GroupPlan;
import dev.tutti.plan.PlanRecorder;
import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.WorkflowMode;
import dev.tutti.sdk.param.BroadcastParam;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.simulator.PlanCost;
import dev.tutti.simulator.Workload;
import dev.tutti.verifier.resource.OptimalityCheck;
import dev.tutti.verifier.rule.Rule;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CirculantCostTest {

  private final CirculantBroadcast circulant = new CirculantBroadcast();

  @ParameterizedTest
  @CsvSource({
    "1, 1000, 0",
    "2, 0, 0",
    "2, 1000, 4",
    "5, 3, 7",
    "7, 1, 0",
    "9, 100000, 0",
    "17, 20000, 9",
    "33, 20000, 1",
    "64, 99999, 20",
    "100, 50000, 30"
  })
  void theDeclaredCostIsThatOfThePlan(int ranks, long count, int blocks) {
    for (Protocol protocol : Protocol.values()) {
      for (WorkflowMode mode : WorkflowMode.values()) {
        CommInfo comm =
            CommInfo.of(0, Topology.flat(ranks))
                .withProtocol(protocol)
                .withMode(mode)
                .withCclBufferSize(1 << 17);
        AlgOptions options = AlgOptions.none().with(CirculantBroadcast.BLOCKS.name(), blocks);
        BroadcastParam param =
            new BroadcastParam(comm, DataType.FLOAT32, count, ranks / 3).withOptions(options);
        GroupPlan plan =
            new PlanRecorder().withSources(false).record("circulant", circulant, param);
        assertThat(OptimalityCheck.check(plan, Workload.of(param), circulant.cost(param)))
            .as("%s %s", protocol, mode)
            .noneMatch(finding -> finding.rule() == Rule.COST_DIFFERS);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"7, 1, 3", "7, 10, 12", "64, 5, 10", "65, 5, 11"})
  void itsStepsAreTheFewest(int ranks, int blocks, int steps) {
    CommInfo comm = CommInfo.of(0, Topology.flat(ranks));
    AlgOptions options = AlgOptions.none().with(CirculantBroadcast.BLOCKS.name(), blocks);
    BroadcastParam param = new BroadcastParam(comm, DataType.INT8, 1000, 0).withOptions(options);
    GroupPlan plan = new PlanRecorder().withSources(false).record("circulant", circulant, param);

    assertThat(PlanCost.of(plan).coefficients().alphas()).isEqualTo(steps);
  }
}
