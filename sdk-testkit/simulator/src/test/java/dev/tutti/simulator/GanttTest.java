package dev.tutti.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tutti.plan.GroupPlan;
import dev.tutti.sdk.topology.CommPlane;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.simulator.text.Json;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class GanttTest {

  private static final double PS_PER_MICRO = 1e6;

  private static NetworkModel model(Sharing sharing, long alphas, long betas) {
    return NetworkModel.builder()
        .topology(Topology.nodes(2, 2))
        .sharing(sharing)
        .level(
            CommPlane.LEVEL0, LinkTerms.of(10 * alphas, PerByte.of(betas)).withOverhead(3 * alphas))
        .level(CommPlane.LEVEL1, LinkTerms.of(70 * alphas, PerByte.of(2 * betas)))
        .reduction(PerByte.of(3))
        .copy(PerByte.of(1))
        .notifyTime(5)
        .localNotifyTime(2)
        .build();
  }

  /** The time of a plan, as a page computes it from the data. */
  private static double time(Simulation simulation, double byAlpha, double byBeta) {
    Json data = Json.parse("data", Gantt.toJson(simulation));
    double[] ends = new double[data.field("lanes").field("items").items().size()];
    double last = 0;
    for (Json line : data.field("whatIf").items()) {
      double[] numbers =
          line.items().stream().mapToDouble(each -> each.number().doubleValue()).toArray();
      double start = 0;
      for (int at = 4; at < numbers.length; at += 4) {
        double way = numbers[at + 1] * byAlpha + numbers[at + 2] * byBeta + numbers[at + 3];
        start = Math.max(start, ends[(int) numbers[at]] + way);
      }
      double end = start + numbers[1] * byAlpha + numbers[2] * byBeta + numbers[3];
      ends[(int) numbers[0]] = end;
      last = Math.max(last, end);
    }
    return last;
  }

  @Test
  void withTheSameLinksThePageFindsTheTimeOfTheSimulation() {
    for (Sharing sharing : Sharing.values()) {
      for (long seed = 0; seed < 1000; seed++) {
        GroupPlan plan = RandomReads.plan(seed, 4);
        Simulation simulation = Simulator.of(model(sharing, 1, 1)).run(plan);

        assertThat(time(simulation, 1, 1))
            .as("%s, seed %d", sharing, seed)
            .isCloseTo(simulation.time(), within(1e-6));
      }
    }
  }

  @Test
  void withOtherLinksItFindsTheTimeOfAnotherSimulationWhereNothingQueues() {
    GroupPlan chain = Reads.plan(Topology.nodes(2, 2), 1000, Map.of(0, List.of(1, 2, 3)), false);
    Simulation simulation = Simulator.of(model(Sharing.NONE, 1, 1)).run(chain);

    for (long alphas : new long[] {1, 4, 10}) {
      for (long betas : new long[] {1, 3, 10}) {
        long again = Simulator.of(model(Sharing.NONE, alphas, betas)).run(chain).time();
        assertThat(time(simulation, alphas, betas)).isCloseTo(again, within(1e-6));
      }
    }
  }

  @Test
  void ofMessagesThatQueueAtAPortEachWaitsForTheOneBeforeIt() {
    GroupPlan crowd =
        Reads.plan(
            Topology.nodes(2, 2), 1000, Map.of(1, List.of(0), 2, List.of(0), 3, List.of(0)), true);
    Simulation simulation = Simulator.of(model(Sharing.NONE, 1, 1)).run(crowd);

    long again = Simulator.of(model(Sharing.NONE, 1, 10)).run(crowd).time();
    assertThat(time(simulation, 1, 10)).isCloseTo(again, within(1e-6));
  }

  @Test
  void everyActionHasItsTimesInMicroseconds() {
    GroupPlan plan = Reads.plan(Topology.nodes(2, 2), 1000, Map.of(0, List.of(1)), false);
    Simulation simulation = Simulator.of(model(Sharing.NONE, 1, 1)).run(plan);

    Json lanes = Json.parse("data", Gantt.toJson(simulation)).field("lanes");
    List<Json> copy =
        lanes.field("items").items().stream()
            .map(Json::items)
            .filter(item -> item.get(3).text().equals("copy"))
            .findFirst()
            .orElseThrow();
    assertThat(copy.get(1).number().doubleValue()).isZero();
    assertThat(copy.get(2).number().doubleValue()).isEqualTo(simulation.time() / PS_PER_MICRO);
    assertThat(lanes.field("path").items()).hasSize(1);
    assertThat(lanes.field("arrows").items()).hasSize(1);
  }

  @Test
  void aPlanOfManyEventsIsDrawnWithoutItsDependencies() {
    int ranks = 150;
    List<Integer> all = IntStream.range(0, ranks).boxed().toList();
    Map<Integer, List<Integer>> from = new HashMap<>();
    all.forEach(rank -> from.put(rank, all));
    GroupPlan plan = Reads.plan(Topology.flat(ranks), 4, from, false);
    Simulation simulation = Simulator.of(NetworkModel.machine()).run(plan);

    String data = Gantt.toJson(simulation);
    assertThat(data).contains("\"whatIf\": null");
    assertThat(Json.parse("data", data).field("lanes").field("rows").items())
        .extracting(row -> row.field("label").text())
        .hasSize(25)
        .contains("rank 23", "ranks 24–149 (126)");
  }

  @Test
  void largeGroupsHaveOneSquareForSeveralRanks() {
    Topology hundred = Topology.flat(100);
    GroupPlan plan = Reads.plan(hundred, 8, Map.of(0, List.of(1, 98), 1, List.of(99)), false);
    Simulation simulation = Simulator.of(NetworkModel.machine()).run(plan);

    Json loads = Json.parse("data", LinkLoads.toJson(simulation.traffic()));
    assertThat(loads.field("labels").items()).hasSize(50);
    assertThat(loads.field("cells").items())
        .extracting(
            cell -> cell.items().subList(0, 4).stream().map(Json::number).toList().toString())
        .containsExactly("[0, 0, 8, 1]", "[49, 0, 16, 2]");
  }
}
