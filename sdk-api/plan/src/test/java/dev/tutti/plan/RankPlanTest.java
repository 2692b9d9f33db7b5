package dev.tutti.plan;

import static dev.tutti.plan.Pair.OUT;
import static dev.tutti.plan.Refusal.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.author.RingAllReduce;
import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.param.AllReduceParam;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RankPlanTest {

  private static GroupPlan ring(PlanRecorder recorder) {
    return recorder.record("ring", new RingAllReduce(), Pair.PARAM);
  }

  @Test
  void equalityAndDigestIgnoreSourceLines() {
    GroupPlan with = ring(new PlanRecorder());
    GroupPlan without = ring(new PlanRecorder().withSources(false));

    assertThat(with).isEqualTo(without).hasSameHashCodeAs(without);
    assertThat(with.digest()).isEqualTo(without.digest());
  }

  @Test
  void theRanksOfOneOperationHaveDifferentPlans() {
    GroupPlan plan = ring(new PlanRecorder());

    assertThat(plan.rank(0)).isNotEqualTo(plan.rank(1));
  }

  @Test
  void theDigestIgnoresTheName() {
    GroupPlan plan = ring(new PlanRecorder());

    assertThat(new GroupPlan("other", false, plan.ranks()).digest()).isEqualTo(plan.digest());
    assertThat(new GroupPlan("other", true, plan.ranks()).digest()).isNotEqualTo(plan.digest());
  }

  @Test
  void askingAnActionForWhatItHasNotIsRefused() {
    RankPlan plan = ring(new PlanRecorder()).rank(0);

    assertRefused(
        () -> plan.link(0),
        ErrorCode.INVALID_ARGUMENT,
        "action 0 of rank 0 does not have a notify: it is COPY");
    assertRefused(
        () -> plan.bytes(1),
        ErrorCode.INVALID_ARGUMENT,
        "action 1 of rank 0 does not have operands: it is POST");
    assertRefused(
        () -> plan.dataType(0),
        ErrorCode.INVALID_ARGUMENT,
        "action 0 of rank 0 does not have a reduction: it is COPY");
    assertRefused(
        () -> plan.nested(0),
        ErrorCode.INVALID_ARGUMENT,
        "action 0 of rank 0 does not have a nested plan: it is COPY");
  }

  @Test
  void aFusedReductionListsItsSources() {
    GroupPlan plan =
        Pair.record(
            s ->
                s.stream()
                    .reduceFrom(
                        s.output().slice(0, 4),
                        List.of(s.input().slice(8, 4), s.output().slice(0, 4)),
                        DataType.UINT32,
                        ReduceOp.MIN),
            s -> {});
    RankPlan rank = plan.rank(0);

    assertThat(rank.sourceCount(0)).isEqualTo(2);
    assertThat(rank.srcOffset(0, 0)).isEqualTo(8);
    assertThat(rank.src(0, 1)).isEqualTo(rank.dst(0));
    assertThat(rank.dataType(0)).isEqualTo(DataType.UINT32);
    assertThat(rank.reduceOp(0)).isEqualTo(ReduceOp.MIN);
  }

  // ---- composition

  @Test
  void aSequenceRunsEachPlanOfEachRank() {
    GroupPlan ring = ring(new PlanRecorder());
    GroupPlan twice = GroupPlan.sequence("twice", List.of(ring, ring));

    assertThat(twice.rank(1).actionCount()).isEqualTo(2);
    assertThat(twice.rank(1).nested(1)).isSameAs(ring.rank(1));
    assertThat(twice.rank(1).memSize(OUT)).isEqualTo(64);
    assertThat(twice.actionCount()).isEqualTo(2 * ring.actionCount());
    assertThat(twice).hasToString("twice: 2 ranks, 60 actions");
    assertThat(twice.rank(0).describe(0)).isEqualTo("nested plan of 15 actions");
  }

  @Test
  void aSequenceHasTheLargestMemoriesOfItsPlans() {
    GroupPlan small = ring(new PlanRecorder());
    GroupPlan large =
        new PlanRecorder()
            .record(
                "large",
                new RingAllReduce(),
                new AllReduceParam(Pair.COMM, DataType.INT32, ReduceOp.SUM, 100));

    assertThat(GroupPlan.sequence("both", List.of(large, small)).rank(0).memSize(OUT))
        .isEqualTo(400);
  }

  @Test
  void plansThatDoNotFitTogetherAreRefused() {
    GroupPlan ring = ring(new PlanRecorder());
    GroupPlan inPlace =
        new PlanRecorder()
            .record(
                "in place ring",
                new RingAllReduce(),
                new AllReduceParam(
                    Pair.COMM, "", AlgOptions.none(), DataType.INT32, ReduceOp.SUM, 16, true));
    GroupPlan one = new GroupPlan("one", false, List.of(new RankPlanBuilder(0).build()));

    assertRefused(
        () -> GroupPlan.sequence("x", List.of(ring, one)),
        ErrorCode.INVALID_PLAN,
        "plans of a sequence must agree in rank size and in-place. Actual: ring of 2 ranks, one of"
            + " 1 ranks");
    assertRefused(
        () -> GroupPlan.sequence("x", List.of(ring, inPlace)),
        ErrorCode.INVALID_PLAN,
        "plans of a sequence must agree in rank size and in-place. Actual: ring of 2 ranks, in"
            + " place ring of 2 ranks in place");
    assertRefused(
        () -> GroupPlan.sequence("x", List.of()),
        ErrorCode.INVALID_PLAN,
        "a sequence must have at least one plan");
  }

  @Test
  void aGroupHasThePlansOfItsRanksInOrder() {
    assertRefused(
        () -> new GroupPlan("x", false, List.of()),
        ErrorCode.INVALID_PLAN,
        "a group plan must have at least one rank");
    assertRefused(
        () ->
            new GroupPlan(
                "x",
                false,
                List.of(new RankPlanBuilder(0).build(), new RankPlanBuilder(2).build())),
        ErrorCode.INVALID_PLAN,
        "plan 1 of the group must be that of rank 1. Actual: rank 2");
  }

  @Test
  void plansAreNested64LevelsDeepAtMost() {
    GroupPlan plan = ring(new PlanRecorder());
    for (int level = 1; level <= Nesting.MAX_DEPTH; level++) {
      plan = GroupPlan.sequence("level " + level, List.of(plan));
    }
    GroupPlan deepest = plan;

    assertThat(deepest.actionCount()).isEqualTo(30);
    assertThat(deepest.digest()).hasSize(64);
    assertRefused(
        () -> GroupPlan.sequence("deeper", List.of(deepest)),
        ErrorCode.INVALID_PLAN,
        "plans can be nested 64 levels deep at most; the plan of rank 0 goes deeper, so make one"
            + " long sequence instead of sequences of sequences");
  }

  @Test
  void aPlanThatDoublesAtEveryLevelIsCountedWithoutRunningIt() {
    GroupPlan plan = ring(new PlanRecorder());
    for (int level = 0; level < 20; level++) {
      plan = GroupPlan.sequence("doubled", List.of(plan, plan));
    }
    assertThat(plan.actionCount()).isEqualTo(30L << 20);

    for (int level = 20; level < 64; level++) {
      plan = GroupPlan.sequence("doubled", List.of(plan, plan));
    }
    assertThat(plan.actionCount()).isEqualTo(Long.MAX_VALUE);
    assertThat(PlanJson.fromJson(PlanJson.toJson(plan)).digest()).isEqualTo(plan.digest());
    assertThat(PlanDot.toDot(plan, 10)).contains("more actions are not drawn");
  }

  @Test
  void aLongSequenceIsBuiltInLinearTime() {
    GroupPlan ring = ring(new PlanRecorder().withSources(false));
    List<GroupPlan> many = new ArrayList<>();
    for (int i = 0; i < 50_000; i++) {
      many.add(ring);
    }

    assertThat(GroupPlan.sequence("many", many).actionCount()).isEqualTo(1_500_000);
  }
}
