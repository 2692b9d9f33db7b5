package dev.tutti.plugins.custom;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.plan.GroupPlan;
import dev.tutti.plan.PlanRecorder;
import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.Cost;
import dev.tutti.sdk.WorkflowMode;
import dev.tutti.sdk.param.AllReduceParam;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.simulator.Workload;
import dev.tutti.verifier.resource.OptimalityCheck;
import dev.tutti.verifier.rule.Rule;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CustomCostTest {

  private final CustomAllReduce custom = new CustomAllReduce();

  private static CommInfo comm(int ranks) {
    return CommInfo.of(0, Topology.flat(ranks));
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 4, 6, 8})
  void theDeclaredCostIsThatOfThePlan(int ranks) {
    for (long packs : new long[] {0, 1, ranks - 1, ranks, 2 * ranks - 1, 47, 1000, 100_001}) {
      for (AlgOptions options : List.of(Requests.ONE_STAGE, Requests.TWO_STAGES)) {
        for (WorkflowMode mode : WorkflowMode.values()) {
          AllReduceParam param = Requests.sum(comm(ranks).withMode(mode), options, packs * 16);
          GroupPlan plan = new PlanRecorder().withSources(false).record("custom", custom, param);
          Optional<Cost> declared = custom.cost(param);
          assertThat(declared).isPresent();
          assertThat(OptimalityCheck.check(plan, Workload.of(param), declared))
              .as("%s packs, %s, %s", packs, options, mode)
              .noneMatch(finding -> finding.rule() == Rule.COST_DIFFERS);
        }
      }
    }
  }

  @Test
  void isThatOfTheFormulas() {
    assertThat(custom.cost(Requests.sum(comm(4), Requests.ONE_STAGE, 4096)))
        .contains(new Cost(1, 3 * 4096, 3 * 4096));
    assertThat(custom.cost(Requests.sum(comm(4), Requests.TWO_STAGES, 4096)))
        .contains(new Cost(4, 2 * 3 * 1024, 3 * 1024));
  }
}
