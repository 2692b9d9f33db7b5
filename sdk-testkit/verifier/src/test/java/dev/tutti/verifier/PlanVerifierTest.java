package dev.tutti.verifier;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.plan.GroupPlan;
import dev.tutti.plan.RankPlan;
import dev.tutti.plan.RankPlanBuilder;
import dev.tutti.samples.Algorithms;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.param.AllReduceParam;
import dev.tutti.sdk.param.OpParam;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.verifier.rule.Finding;
import dev.tutti.verifier.rule.Rule;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Plans that a recorder would refuse. */
class PlanVerifierTest {

  private static final VirtualCluster CLUSTER = VirtualCluster.builder(Topology.flat(2)).build();
  private static final AllReduceParam PARAM =
      new AllReduceParam(CLUSTER.comm(), DataType.FLOAT32, ReduceOp.SUM, 16);
  private static final GroupPlan RIGHT = CLUSTER.record(Algorithms.directAllReduce(), PARAM);

  private static List<OpParam> params() {
    return List.of(PARAM, PARAM.withComm(CLUSTER.comm().withRank(1)));
  }

  private static DeviceMem mem(int rank, TransportMemType type, long offset) {
    return new DeviceMem(rank, type, offset, 8);
  }

  private static Arguments broken(String name, Rule rule, Consumer<RankPlanBuilder> actions) {
    return Arguments.of(name, rule, actions);
  }

  static Stream<Arguments> broken() {
    DeviceMem output = mem(0, TransportMemType.PARAM_OUTPUT, 0);
    return Stream.of(
        broken(
            "reads beyond its input",
            Rule.BOUNDS,
            b -> b.copy(0, output, mem(0, TransportMemType.PARAM_INPUT, 60))),
        broken(
            "copies onto itself",
            Rule.BOUNDS,
            b -> b.copy(0, output, mem(0, TransportMemType.PARAM_OUTPUT, 4))),
        broken(
            "reads staging memory of a peer that no link registers",
            Rule.NOT_REQUESTED,
            b -> b.copy(0, output, mem(1, TransportMemType.CCL_INPUT, 0))),
        broken("has no end of a link", Rule.LINK_MISMATCH, b -> b.withoutLink(0)));
  }

  @ParameterizedTest(name = "a plan that {0}: {1}")
  @MethodSource("broken")
  void whatARecordingRefusesIsAFinding(String name, Rule rule, Consumer<RankPlanBuilder> actions) {
    RankPlanBuilder builder = new RankPlanBuilder(RIGHT.rank(0));
    actions.accept(builder);
    GroupPlan plan = new GroupPlan(name, false, List.of(builder.build(), RIGHT.rank(1)));

    assertThat(PlanVerifier.verify(plan)).extracting(Finding::rule).containsExactly(rule);
    assertThat(PlanVerifier.verify(plan, params(), Determinism.NONE, 1))
        .extracting(Finding::rule)
        .containsExactly(rule);
  }

  @Test
  void aPlanThatIsStuckIsADeadlockAndNoFailure() {
    List<RankPlan> ranks = new ArrayList<>(RIGHT.ranks());
    ranks.set(
        0, new RankPlanBuilder(RIGHT.rank(0)).await(0, 0, 0).appendAll(RIGHT.rank(0)).build());
    GroupPlan plan = new GroupPlan("stuck", false, ranks);

    assertThat(PlanVerifier.verify(plan, params(), Determinism.NONE, 1))
        .extracting(Finding::rule)
        .contains(Rule.DEADLOCK);
  }

  @Test
  void aRightPlanIsClean() {
    assertThat(PlanVerifier.verify(RIGHT)).isEmpty();
    assertThat(PlanVerifier.verify(RIGHT, params(), Determinism.SAME_SIZES, 2)).isEmpty();
  }
}
