package dev.tutti.plan;

import static dev.tutti.plan.Refusal.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.author.RingAllReduce;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.topology.Topology;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PlanDotTest {

  private static List<String> lines(String dot, String regex) {
    return dot.lines().map(String::strip).filter(Pattern.compile(regex).asPredicate()).toList();
  }

  private static Stream<String> edges(String dot, String style) {
    return dot.lines()
        .map(String::strip)
        .filter(line -> line.contains(" -> ") && line.contains(style))
        .map(line -> line.substring(0, line.indexOf(" [")));
  }

  @Test
  void aRankIsAClusterAndAStreamAChain() {
    String dot =
        PlanDot.toDot(
            Pair.record(
                s -> {
                  Stream.of(0, 1).forEach(i -> s.stream().copy(s.output(), s.input()));
                  s.resources().slaveStreams().getFirst().copy(s.input(), s.output());
                },
                s -> {}));

    assertThat(lines(dot, "cluster|label=\"rank"))
        .containsExactly(
            "subgraph cluster_r0 {",
            "label=\"rank 0\"; style=rounded; color=gray60;",
            "subgraph cluster_r1 {",
            "label=\"rank 1\"; style=rounded; color=gray60;");
    assertThat(edges(dot, "weight=10"))
        .containsExactly("r0_s0 -> r0_0", "r0_0 -> r0_1", "r0_s1 -> r0_2");
    assertThat(lines(dot, "^r0_2 "))
        .containsExactly(
            "r0_2 [label=\"copy param-input[0+64]\\n= param-output[0+64]\", fillcolor=\"#e3f0ff\","
                + " tooltip=\"?\"];");
  }

  @Test
  void theKthPostLeadsToTheKthAwaitOfTheSameNotify() {
    String dot =
        PlanDot.toDot(
            Pair.record(
                s -> {
                  s.link().post(s.stream(), Link.FIN);
                  s.link().post(s.stream(), Link.READY);
                  s.link().post(s.stream(), Link.FIN);
                  s.link().post(s.stream(), Link.FIN);
                },
                s -> {
                  s.link().await(s.stream(), Link.READY);
                  s.link().await(s.stream(), Link.FIN);
                  s.link().await(s.stream(), Link.FIN);
                }));

    assertThat(edges(dot, "dashed"))
        .containsExactly("r0_0 -> r1_1", "r0_1 -> r1_0", "r0_2 -> r1_2");
  }

  @Test
  void notifiesBetweenStreamsStayInsideTheirRank() {
    String dot =
        PlanDot.toDot(
            Pair.record(
                s -> s.stream().fork(s.resources().slaveStreams()),
                s -> s.stream().join(s.resources().slaveStreams())));

    assertThat(edges(dot, "dashed")).containsExactly("r0_0 -> r0_1", "r1_0 -> r1_1");
  }

  @Test
  void dataBetweenRanksIsBoldAndPointsTheWayItMoves() {
    String dot =
        PlanDot.toDot(
            Pair.record(
                s -> {
                  s.link().read(s.stream(), s.output(), s.link().remote(Pair.IN));
                  s.link().write(s.stream(), s.link().remote(Pair.OUT), s.input());
                  s.stream().copy(s.output(), s.input());
                },
                s -> {}));

    assertThat(edges(dot, "penwidth=2"))
        .containsExactly("r1_mem_param_input -> r0_0", "r0_1 -> r1_mem_param_output");
    assertThat(lines(dot, "penwidth=2")).allMatch(line -> line.contains("label=\"64 B\""));
    assertThat(lines(dot, "shape=cylinder"))
        .containsExactly(
            "r1_mem_param_input [label=\"param-input\", shape=cylinder, fillcolor=\"#f4f4f4\"];",
            "r1_mem_param_output [label=\"param-output\", shape=cylinder, fillcolor=\"#f4f4f4\"];");
  }

  @Test
  void theTooltipIsTheSourceLine() {
    assertThat(lines(PlanDot.toDot(SamplePlans.ring()), "^r1_0 ").getFirst())
        .matches(".*tooltip=\"RingAllReduce\\.orchestrate\\(RingAllReduce\\.java:\\d+\\)\"];");
  }

  @Test
  void nestedPlansAreDrawnWhereTheyRun() {
    GroupPlan ring = SamplePlans.ring();
    String dot = PlanDot.toDot(GroupPlan.sequence("twice", List.of(ring, ring)));

    assertThat(lines(dot, "^r0_0 ").getFirst()).contains("nested plan of 15 actions");
    assertThat(edges(dot, "weight=10"))
        .contains("r0_s0 -> r0_0", "r0_0 -> r0_0_0", "r0_0_14 -> r0_1", "r0_1 -> r0_1_0");
    assertThat(edges(dot, "dashed")).contains("r0_0_1 -> r1_0_2", "r0_1_1 -> r1_1_2").hasSize(24);
  }

  @Test
  void actionsBeyondTheLimitAreLeftOutWithANote() {
    String dot = PlanDot.toDot(SamplePlans.ring(), 8);

    assertThat(lines(dot, "^r\\d_\\d+ \\[")).hasSize(8);
    assertThat(lines(dot, "shape=note"))
        .containsExactly(
            "r0_left_out [label=\"11 more actions are not drawn\", shape=note,"
                + " fillcolor=lightyellow];",
            "r1_left_out [label=\"11 more actions are not drawn\", shape=note,"
                + " fillcolor=lightyellow];");
  }

  @Test
  void ranksBeyondTheLimitAreLeftOutWithANote() {
    GroupPlan plan =
        new PlanRecorder()
            .record(
                "ring",
                new RingAllReduce(),
                Pair.PARAM.withComm(CommInfo.of(0, Topology.flat(10))));
    String dot = PlanDot.toDot(plan, 4);

    assertThat(lines(dot, "label=\"rank \\d+\"")).hasSize(4);
    assertThat(lines(dot, "^left_out"))
        .containsExactly(
            "left_out [label=\"6 more ranks are not drawn\", shape=note, fillcolor=lightyellow];");
  }

  @Test
  void aWholePlanHasNoNote() {
    assertThat(PlanDot.toDot(SamplePlans.nested())).doesNotContain("shape=note");
  }

  @Test
  void equalPlansGiveEqualText() {
    assertThat(PlanDot.toDot(SamplePlans.nested())).isEqualTo(PlanDot.toDot(SamplePlans.nested()));
  }

  @Test
  void namesAreQuoted() {
    GroupPlan plan = new GroupPlan("a \"b\"\\n\n}", false, List.of(new RankPlanBuilder(0).build()));

    assertThat(PlanDot.toDot(plan)).startsWith("digraph \"a \\\"b\\\"\\\\n }\" {\n");
  }

  @Test
  void aLimitBelowOneIsRefused() {
    assertRefused(
        () -> PlanDot.toDot(SamplePlans.ring(), 0),
        ErrorCode.INVALID_ARGUMENT,
        "the most actions to draw must be 1 or more. Actual: 0");
  }
}
