package dev.tutti.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tutti.plan.GroupPlan;
import dev.tutti.plan.PlanRecorder;
import dev.tutti.samples.Collectives;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.param.AllReduceParam;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.simulator.text.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TraceTest {

  private static final NetworkModel MODEL =
      NetworkModel.plain(1_234_567, PerByte.of(10), PerByte.of(3));

  private static List<Json> events(GroupPlan plan) {
    StringBuilder text = new StringBuilder();
    Trace.write(Simulator.of(MODEL).run(plan), text);
    Json trace = Json.parse("trace", text.toString()).allow("displayTimeUnit", "traceEvents");
    return trace.field("traceEvents").items();
  }

  private static GroupPlan ring(int ranks) {
    CommInfo comm = CommInfo.of(0, Topology.flat(ranks));
    return new PlanRecorder()
        .record(
            "ring",
            Collectives.ring(),
            new AllReduceParam(comm, DataType.FLOAT32, ReduceOp.SUM, 100));
  }

  private static List<Json> ofPhase(List<Json> events, String phase) {
    return events.stream().filter(event -> event.field("ph").text().equals(phase)).toList();
  }

  private static BigDecimal number(Json event, String field) {
    return event.field(field).number();
  }

  @Test
  void everyActionIsAnEventOfItsRankAndStream() {
    GroupPlan plan = ring(4);
    List<Json> complete = ofPhase(events(plan), "X");
    assertThat(complete).hasSize((int) plan.actionCount());
    assertThat(complete)
        .allSatisfy(
            event -> {
              assertThat(event.field("pid").wholeNumber(0, 3)).isBetween(0L, 3L);
              assertThat(event.field("tid").wholeNumber(0, 0)).isZero();
              assertThat(event.field("args").field("source").text()).contains("Collectives.java");
            });
  }

  @Test
  void aVisitorSeesWhatIsWritten() {
    GroupPlan plan = ring(4);
    Simulation simulation = Simulator.of(MODEL).run(plan);
    List<String> seen = new ArrayList<>();
    List<Long> ends = new ArrayList<>();
    simulation.forEachAction(
        (ref, isAwait, from, to) -> {
          String category = isAwait ? "await" : "data";
          seen.add(category + " " + ref.rank() + " " + ref.text() + " " + from + " " + (to - from));
          ends.add(to);
        });

    assertThat(seen)
        .containsExactlyInAnyOrderElementsOf(
            ofPhase(events(plan), "X").stream()
                .filter(event -> !event.field("cat").text().equals("post"))
                .map(TraceTest::asSeen)
                .toList());
    assertThat(ends.stream().max(Comparator.naturalOrder())).contains(simulation.time());
  }

  private static String asSeen(Json event) {
    return String.join(
        " ",
        event.field("cat").text(),
        number(event, "pid").toPlainString(),
        event.field("name").text(),
        picos(event, "ts"),
        picos(event, "dur"));
  }

  private static String picos(Json event, String field) {
    return number(event, field).movePointRight(6).toBigIntegerExact().toString();
  }

  @Test
  void timesAreExactFractionsOfMicroseconds() {
    List<Json> data =
        ofPhase(events(ring(2)), "X").stream()
            .filter(event -> event.field("cat").text().equals("data"))
            .filter(event -> number(event, "dur").signum() > 0)
            .toList();
    // 200 bytes a step: latency, bytes, and the reduction in the first step
    assertThat(data.stream().map(event -> number(event, "dur").toPlainString()))
        .containsExactlyInAnyOrder("1.237167", "1.237167", "1.236567", "1.236567");
    assertThat(data.stream().map(event -> number(event, "ts").toPlainString()))
        .containsExactlyInAnyOrder("0.000000", "0.000000", "1.237167", "1.237167");
  }

  @Test
  void anArrowLeadsFromEveryPostToItsAwait() {
    List<Json> events = events(ring(4));
    Map<String, BigDecimal> begun = new HashMap<>();
    ofPhase(events, "s")
        .forEach(
            event -> assertThat(begun.put(event.field("id").text(), number(event, "ts"))).isNull());
    List<Json> ends = ofPhase(events, "f");
    assertThat(ends).hasSize(begun.size()).hasSize(4 * (2 * 6 + 1));
    for (Json end : ends) {
      assertThat(end.field("bp").text()).isEqualTo("e");
      BigDecimal from = begun.remove(end.field("id").text());
      assertThat(from).isLessThanOrEqualTo(number(end, "ts"));
    }
    assertThat(begun).isEmpty();
  }

  @Test
  void eventsOfOneStreamDoNotOverlap() {
    GroupPlan plan =
        Reads.plan(Topology.flat(4), 100, Map.of(0, List.of(1, 2, 3), 2, List.of(0, 3)), true);
    Map<String, BigDecimal> ends = new HashMap<>();
    List<Json> events = events(plan);
    ofPhase(events, "X").stream()
        .sorted(
            Comparator.comparing((Json event) -> number(event, "ts"))
                .thenComparing(event -> number(event, "ts").add(number(event, "dur"))))
        .forEach(
            event -> {
              String thread = event.field("pid").number() + "." + event.field("tid").number();
              BigDecimal before = ends.getOrDefault(thread, BigDecimal.ZERO);
              assertThat(number(event, "ts")).isGreaterThanOrEqualTo(before);
              ends.put(thread, number(event, "ts").add(number(event, "dur")));
            });
    assertThat(ends).hasSize(4 + 5 - 2);
    List<Json> names = ofPhase(events, "M");
    assertThat(names.stream().filter(e -> e.field("name").text().equals("process_name")))
        .hasSize(4);
    assertThat(names.stream().filter(e -> e.field("name").text().equals("thread_name")))
        .hasSize(4 + 5);
  }

  @Test
  void bordersOfNestedPlansAreNamed() {
    GroupPlan plan = Reads.plan(Topology.flat(2), 100, Map.of(0, List.of(1)), true);
    GroupPlan twice = GroupPlan.sequence("twice", List.of(plan, plan));
    assertThat(ofPhase(events(twice), "X").stream().map(e -> e.field("name").text()))
        .contains("post the border of a nested plan", "await the border of a nested plan");
  }

  @Test
  void aTargetThatFailsIsReported() {
    Simulation simulation = Simulator.of(MODEL).run(ring(4));
    Writer broken =
        new Writer() {
          @Override
          public void write(char[] characters, int offset, int length) throws IOException {
            throw new IOException("disk full");
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    assertThatThrownBy(() -> Trace.write(simulation, broken))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining("disk full");
  }
}
