package dev.tutti.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.plan.GroupPlan;
import dev.tutti.plan.RankPlan;
import dev.tutti.plan.RankPlanBuilder;
import dev.tutti.simulator.flow.FlatPlan;
import dev.tutti.simulator.flow.Moves;
import dev.tutti.simulator.flow.Segments;
import dev.tutti.simulator.flow.Walk;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class PlainCostsTest {

  private static PlainCosts costs(FlatPlan plan) {
    PlainCosts costs = new PlainCosts(plan, Moves.of(plan, Segments.ofWritten(plan, 1), 1));
    assertThat(new Walk(plan, costs).run()).isTrue();
    return costs;
  }

  private static long time(FlatPlan plan, NetworkModel model) {
    Engine engine = new Engine(plan, new Network(model, plan.plan().rankSize()), null);
    engine.run();
    return Arrays.stream(engine.rankFinish()).max().orElseThrow();
  }

  @Test
  void costsThatAreTrustedAreThoseOfTheSimulation() {
    PerByte unit = PerByte.of(1);
    int trusted = 0;
    int shared = 0;
    for (long seed = 0; seed < 3000; seed++) {
      FlatPlan plan = FlatPlan.of(RandomReads.plan(seed, 2 + (int) (seed % 2)));
      PlainCosts costs = costs(plan);
      if (costs.isAlone()) {
        trusted++;
        assertThat(costs.alphas())
            .as("α of %d", seed)
            .isEqualTo(time(plan, NetworkModel.plain(1, PerByte.FREE, PerByte.FREE)));
        assertThat(costs.betaBytes())
            .as("β of %d", seed)
            .isEqualTo(time(plan, NetworkModel.plain(0, unit, PerByte.FREE)));
        assertThat(costs.gammaBytes())
            .as("γ of %d", seed)
            .isEqualTo(time(plan, NetworkModel.plain(0, PerByte.FREE, unit)));
      } else {
        shared++;
      }
    }
    assertThat(trusted).isGreaterThan(500);
    assertThat(shared).isGreaterThan(500);
  }

  @Test
  void aPortThatTwoStreamsUseOneAfterAnotherIsTrusted() {
    RankPlanBuilder reader = RandomReads.rank(0);
    reader.copy(0, RandomReads.scratch(0, 0, 100), RandomReads.scratch(1, 0, 100));
    reader.post(0, RankPlan.NO_LINK, 0).await(1, RankPlan.NO_LINK, 0);
    reader.copy(1, RandomReads.scratch(0, 200, 50), RandomReads.scratch(1, 0, 50));
    PlainCosts costs =
        costs(
            FlatPlan.of(
                new GroupPlan(
                    "ordered", false, List.of(reader.build(), RandomReads.rank(1).build()))));
    assertThat(costs.isAlone()).isTrue();
    assertThat(costs.betaBytes()).isEqualTo(150);
  }

  @Test
  void aPortThatTwoStreamsMayUseAtOnceIsNot() {
    RankPlanBuilder reader = RandomReads.rank(0);
    reader.copy(0, RandomReads.scratch(0, 0, 100), RandomReads.scratch(1, 0, 100));
    reader.copy(1, RandomReads.scratch(0, 200, 50), RandomReads.scratch(1, 0, 50));
    FlatPlan plan =
        FlatPlan.of(
            new GroupPlan(
                "unordered", false, List.of(reader.build(), RandomReads.rank(1).build())));
    assertThat(costs(plan).isAlone()).isFalse();
  }
}
