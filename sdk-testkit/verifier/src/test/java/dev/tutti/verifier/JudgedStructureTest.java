package dev.tutti.verifier;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.plan.GroupPlan;
import dev.tutti.plan.PlanClone;
import dev.tutti.plan.PlanRecorder;
import dev.tutti.plan.PlanStructure;
import dev.tutti.plan.RankProgram;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.param.AllGatherParam;
import dev.tutti.sdk.resource.AlgResourceRequest;
import dev.tutti.sdk.resource.AlgResourceResponse;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.verifier.rule.Rule;
import java.util.List;
import java.util.Objects;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;

class JudgedStructureTest {

  private static final long BEFORE = 64;

  private static AllGatherParam param(long count) {
    return new AllGatherParam(CommInfo.of(0, Topology.flat(1)), DataType.INT16, count);
  }

  private static List<RankProgram> programs(CollExecutorBase<AllGatherParam> executor, long count) {
    return List.of(RankProgram.of(executor, param(count)));
  }

  private static PlanClone origin(CollExecutorBase<AllGatherParam> executor, long count) {
    GroupPlan plan = new PlanRecorder().record("plan", programs(executor, count));
    assertThat(rules(plan, count)).isEmpty();
    return PlanStructure.of(plan).origin();
  }

  private static List<Rule> rules(GroupPlan plan, long count) {
    return PlanVerifier.verify(plan, List.of(param(count)), Determinism.SAME_SIZES, 1).stream()
        .map(finding -> finding.rule())
        .distinct()
        .toList();
  }

  private static boolean holds(
      CollExecutorBase<AllGatherParam> executor, PlanClone origin, long first, long count) {
    PlanClone clone =
        Objects.requireNonNull(
            new PlanRecorder().clone(origin.structure(), programs(executor, count)).made());
    boolean holds =
        JudgedStructure.of(origin, List.of(param(first)))
            .orElseThrow()
            .holdsFor(clone, List.of(param(count)));
    boolean isRight = rules(clone.plan(), count).isEmpty();
    assertThat(!holds || isRight).as("what is let pass is right").isTrue();
    return holds;
  }

  @Test
  void theVerdictHoldsForOtherCounts() {
    CollExecutorBase<AllGatherParam> executor = new ThroughScratch(count -> count / 4);
    PlanClone origin = origin(executor, 100);
    for (long count : new long[] {96, 101, 4096, 20_000}) {
      assertThat(holds(executor, origin, 100, count)).isTrue();
    }
  }

  /** All marks are in the same order, but the middle comes from another place. */
  @Test
  void theVerdictDoesNotHoldWhereOtherBytesAreTaken() {
    CollExecutorBase<AllGatherParam> executor =
        new ThroughScratch(count -> count == 100 ? count / 4 : count / 4 + 1);
    PlanClone origin = origin(executor, 100);
    assertThat(holds(executor, origin, 100, 400)).isFalse();
    GroupPlan wrong = new PlanRecorder().record("plan", programs(executor, 400));
    assertThat(rules(wrong, 400)).contains(Rule.WRONG_CONTENTS);
  }

  @Test
  void theVerdictIsForOneKindOfRequest() {
    CollExecutorBase<AllGatherParam> executor = new ThroughScratch(count -> count / 4);
    PlanClone origin = origin(executor, 100);
    JudgedStructure judged = JudgedStructure.of(origin, List.of(param(100))).orElseThrow();
    AllGatherParam halves =
        new AllGatherParam(CommInfo.of(0, Topology.flat(1)), DataType.INT8, 200);
    assertThat(judged.holdsFor(origin, List.of(param(100)))).isTrue();
    assertThat(judged.holdsFor(origin, List.of(halves))).isFalse();
    PlanClone other = origin(executor, 100);
    assertThat(judged.holdsFor(other, List.of(param(100)))).isFalse();
  }

  /**
   * One rank: the first quarter of the input goes directly to the output, the next half through
   * scratch memory, and the rest directly.
   */
  private static final class ThroughScratch extends CollExecutorBase<AllGatherParam> {
    private final LongUnaryOperator quarter;

    /** With the number of elements of scratch memory before the part that is used. */
    ThroughScratch(LongUnaryOperator quarter) {
      this.quarter = quarter;
    }

    @Override
    public AlgResourceRequest calcResRequest(AllGatherParam param) {
      return AlgResourceRequest.none().withScratchMemSize(BEFORE + 2 * param.sendCount());
    }

    @Override
    public void orchestrate(AllGatherParam param, AlgResourceResponse resources) {
      Stream stream = resources.mainStream();
      DeviceMem input = resources.paramInputMem();
      DeviceMem output = resources.paramOutputMem();
      long first = param.sendCount() / 4 * 2;
      long middle = 2 * first;
      DeviceMem staged = resources.scratchMem().slice(BEFORE, input.size());
      stream.copy(staged, input);
      stream.copy(output.slice(0, first), input.slice(0, first));
      stream.copy(
          output.slice(first, middle),
          staged.slice(2 * quarter.applyAsLong(param.sendCount()), middle));
      long rest = input.size() - first - middle;
      stream.copy(output.slice(first + middle, rest), input.slice(first + middle, rest));
    }
  }
}
