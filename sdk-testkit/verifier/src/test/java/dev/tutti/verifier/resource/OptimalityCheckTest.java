package dev.tutti.verifier.resource;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.plan.GroupPlan;
import dev.tutti.plan.PlanRecorder;
import dev.tutti.samples.Algorithms;
import dev.tutti.samples.Collectives;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.Cost;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.param.AllGatherParam;
import dev.tutti.sdk.param.AllReduceParam;
import dev.tutti.sdk.param.AllToAllParam;
import dev.tutti.sdk.param.OpParam;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.simulator.PlanCost;
import dev.tutti.simulator.Workload;
import dev.tutti.verifier.rule.Finding;
import dev.tutti.verifier.rule.Rule;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class OptimalityCheckTest {

  private static AllReduceParam allReduce(int ranks, long count) {
    CommInfo comm = CommInfo.of(0, Topology.flat(ranks));
    return new AllReduceParam(comm, DataType.FLOAT32, ReduceOp.SUM, count);
  }

  private static <P extends OpParam> GroupPlan plan(CollExecutorBase<P> executor, P param) {
    return new PlanRecorder().record("plan", executor, param);
  }

  private static <P extends OpParam> List<Finding> check(
      CollExecutorBase<P> executor, P param, Optional<Cost> declared) {
    return OptimalityCheck.check(plan(executor, param), Workload.of(param), declared);
  }

  @Test
  void theCostOfAPlanIsDerivedTermByTerm() {
    assertThat(PlanCost.of(plan(Collectives.ring(), allReduce(4, 1000))).coefficients())
        .isEqualTo(new Cost(6, 6000, 3000));
    assertThat(
            PlanCost.of(plan(Collectives.recursiveDoubling(), allReduce(8, 1000))).coefficients())
        .isEqualTo(new Cost(3, 12_000, 12_000));
    assertThat(PlanCost.of(plan(Collectives.rabenseifner(), allReduce(8, 1000))).coefficients())
        .isEqualTo(new Cost(6, 7000, 3500));
    assertThat(PlanCost.of(plan(Collectives.ring(), allReduce(1, 1000))).coefficients())
        .isEqualTo(new Cost(0, 0, 0));
  }

  @Test
  void readsFromSeveralPeersAtOnceTakeTheirTurnsAtThePorts() {
    assertThat(PlanCost.of(plan(Algorithms.directAllReduce(), allReduce(4, 1000))).coefficients())
        .isEqualTo(new Cost(1, 12_000, 12_000));
  }

  @Test
  void aDeclaredCostWithinFivePercentPasses() {
    AllReduceParam param = allReduce(4, 100_000);
    for (double factor : new double[] {0.96, 1, 1.04}) {
      Cost cost = new Cost(6 * factor, 600_000 * factor, 300_000 * factor);
      assertThat(check(Collectives.ring(), param, Optional.of(cost)))
          .noneMatch(finding -> finding.rule() == Rule.COST_DIFFERS);
    }
  }

  @Test
  void aDeclaredCostThatDiffersIsNamedWithTheDerivedOne() {
    AllReduceParam param = allReduce(4, 100_000);
    for (Cost cost :
        List.of(
            new Cost(3, 600_000, 300_000),
            new Cost(6, 400_000, 300_000),
            new Cost(6, 600_000, 0),
            new Cost(6.5, 600_000, 300_000))) {
      assertThat(check(Collectives.ring(), param, Optional.of(cost)))
          .anyMatch(finding -> finding.rule() == Rule.COST_DIFFERS);
    }
    assertThat(check(Collectives.ring(), param, Optional.of(new Cost(3, 4e5, 0))))
        .last()
        .hasToString(
            "OPT-2 declared cost differs: declared 3α + 400000β + 0γ; the plan costs 6α + 600000β +"
                + " 300000γ. Correct cost(), or the plan");
  }

  @Test
  void slicesOfWholeElementsAreNotADifference() {
    AllReduceParam param = allReduce(4, 1);
    assertThat(check(Collectives.ring(), param, Optional.of(new Cost(6, 6, 3))))
        .noneMatch(finding -> finding.rule() == Rule.COST_DIFFERS);
  }

  @Test
  void aDeclaredCostIsNotJudgedWhereThereIsNothingToDo() {
    assertThat(check(Collectives.ring(), allReduce(4, 0), Optional.of(new Cost(6, 0, 0))))
        .isEmpty();
    assertThat(check(Collectives.ring(), allReduce(4, 1), Optional.of(new Cost(5, 6, 3))))
        .anyMatch(finding -> finding.rule() == Rule.COST_DIFFERS);
  }

  @Test
  void anExecutorThatDeclaresNothingIsNotJudgedByIt() {
    assertThat(check(Collectives.ring(), allReduce(4, 1000), Optional.empty()))
        .noneMatch(finding -> finding.rule() == Rule.COST_DIFFERS);
  }

  @Test
  void stepsAboveTheBoundAreNoted() {
    assertThat(check(Collectives.ring(), allReduce(4, 1000), Optional.empty()))
        .singleElement()
        .hasToString(
            "OPT-1 above the lower bound: 6 message steps, and 6000 bytes through the busiest rank;"
                + " allreduce of 4 ranks needs 2 and 6000");
  }

  @Test
  void bytesAboveTheBoundAreNoted() {
    assertThat(check(Collectives.recursiveDoubling(), allReduce(8, 1000), Optional.empty()))
        .singleElement()
        .hasToString(
            "OPT-1 above the lower bound: 3 message steps, and 12000 bytes through the busiest rank;"
                + " allreduce of 8 ranks needs 3 and 7000");
  }

  @Test
  void anAlgorithmThatMeetsBothBoundsIsNotNoted() {
    for (int ranks : new int[] {1, 2, 4, 6, 16}) {
      AllGatherParam param =
          new AllGatherParam(CommInfo.of(0, Topology.flat(ranks)), DataType.FLOAT32, 1000);
      assertThat(check(Collectives.bruckAllGather(), param, Optional.empty())).isEmpty();
    }
    assertThat(check(Collectives.pairwise(), allToAll(2), Optional.empty())).isEmpty();
  }

  private static AllToAllParam allToAll(int ranks) {
    return new AllToAllParam(CommInfo.of(0, Topology.flat(ranks)), DataType.FLOAT32, 1000);
  }
}
