package dev.tutti.testkit.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.plan.GroupPlan;
import dev.tutti.sdk.plan.RankPlan;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.testkit.flow.FlatPlan;
import dev.tutti.testkit.flow.Moves;
import dev.tutti.testkit.flow.Segments;
import dev.tutti.testkit.flow.Walk;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PlainCostsTest {

  private static final int STREAMS = 3;
  private static final int NOTIFIES = 40;
  private static final int MEMORY = 1 << 12;

  private static RankPlan.Builder rank(int rank) {
    return RankPlan.builder(RankPlan.empty(rank))
        .streamCount(STREAMS)
        .notifyCount(NOTIFIES)
        .memSize(TransportMemType.SCRATCH, MEMORY)
        .memSize(TransportMemType.AIV_INPUT, MEMORY);
  }

  private static DeviceMem scratch(int rank, long offset, long bytes) {
    return new DeviceMem(rank, TransportMemType.SCRATCH, offset, bytes);
  }

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

  /**
   * Streams of a few ranks that read from one another, in an order that notifies enforce partly.
   */
  private static FlatPlan randomPlan(long seed) {
    Random random = new Random(seed);
    int ranks = 2 + random.nextInt(2);
    List<RankPlan> plans = new ArrayList<>();
    for (int rank = 0; rank < ranks; rank++) {
      RankPlan.Builder plan = rank(rank);
      boolean isBusy = rank == 0 || random.nextInt(3) == 0;
      for (int step = 0; isBusy && step < 1 + random.nextInt(8); step++) {
        int stream = random.nextInt(STREAMS);
        long bytes = 4L * (1 + random.nextInt(8));
        DeviceMem dst = scratch(rank, 256L * step, bytes);
        DeviceMem src = new DeviceMem(random.nextInt(ranks), TransportMemType.AIV_INPUT, 0, bytes);
        if (random.nextBoolean()) {
          plan.copy(stream, dst, src);
        } else {
          plan.reduce(stream, dst, src, DataType.INT32, ReduceOp.SUM);
        }
        if (random.nextInt(3) > 0) {
          plan.post(stream, RankPlan.NO_LINK, step);
          plan.await((stream + 1) % STREAMS, RankPlan.NO_LINK, step);
        }
      }
      plans.add(plan.build());
    }
    return FlatPlan.of(new GroupPlan("random", false, plans));
  }

  @Test
  void costsThatAreTrustedAreThoseOfTheSimulation() {
    PerByte unit = PerByte.of(1);
    int trusted = 0;
    int shared = 0;
    for (long seed = 0; seed < 3000; seed++) {
      FlatPlan plan = randomPlan(seed);
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
    RankPlan.Builder reader = rank(0);
    reader.copy(0, scratch(0, 0, 100), scratch(1, 0, 100));
    reader.post(0, RankPlan.NO_LINK, 0).await(1, RankPlan.NO_LINK, 0);
    reader.copy(1, scratch(0, 200, 50), scratch(1, 0, 50));
    PlainCosts costs =
        costs(
            FlatPlan.of(new GroupPlan("ordered", false, List.of(reader.build(), rank(1).build()))));
    assertThat(costs.isAlone()).isTrue();
    assertThat(costs.betaBytes()).isEqualTo(150);
  }

  @Test
  void aPortThatTwoStreamsMayUseAtOnceIsNot() {
    RankPlan.Builder reader = rank(0);
    reader.copy(0, scratch(0, 0, 100), scratch(1, 0, 100));
    reader.copy(1, scratch(0, 200, 50), scratch(1, 0, 50));
    FlatPlan plan =
        FlatPlan.of(new GroupPlan("unordered", false, List.of(reader.build(), rank(1).build())));
    assertThat(costs(plan).isAlone()).isFalse();
  }
}
