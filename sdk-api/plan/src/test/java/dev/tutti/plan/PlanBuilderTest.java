package dev.tutti.plan;

import static dev.tutti.plan.Pair.OUT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.TransportMemType;
import java.util.List;
import org.junit.jupiter.api.Test;

class PlanBuilderTest {

  private static final LinkTable LINKS = SamplePlans.everything().rank(0).links();

  private final PlanBuilder builder = new PlanBuilder(new Interner());

  private void start(int rank) {
    builder.start(rank, 2, 2, new long[TransportMemType.values().length], LINKS);
  }

  private void addOneOfEach(int rank) {
    DeviceMem own = new DeviceMem(rank, OUT, 8, 4);
    DeviceMem other = new DeviceMem(rank + 5, OUT, 4, 4);
    builder.addData(ActionKind.COPY, 0, own, other, null, null);
    builder.addReduceFrom(1, own, List.of(own, other), DataType.INT32, ReduceOp.SUM);
    builder.addLinkSync(ActionKind.POST, 0, rank % 2, 1);
    builder.addLocalSync(ActionKind.AWAIT, 1, 1);
    builder.addNested(0, new RankPlanBuilder(rank).build());
  }

  @Test
  void aPlanThatIsStartedHasNothingOfTheOneBefore() {
    start(0);
    addOneOfEach(0);
    RankPlan first = builder.build();
    start(1);
    addOneOfEach(1);
    RankPlan second = builder.build();

    start(0);
    addOneOfEach(0);
    assertThat(builder.build()).isEqualTo(first);
    PlanBuilder fresh = new PlanBuilder(new Interner());
    fresh.start(1, 2, 2, new long[TransportMemType.values().length], LINKS);
    fresh.addNested(0, new RankPlanBuilder(1).build());
    start(1);
    builder.addNested(0, new RankPlanBuilder(1).build());
    assertThat(builder.build()).isEqualTo(fresh.build()).isNotEqualTo(second);
  }

  @Test
  void aPlanThatIsStartedNestsOnlyItsOwnPlans() {
    RankPlan one = new RankPlanBuilder(0).build();
    RankPlan other = new RankPlanBuilder(0).build();
    start(0);
    builder.addNested(0, one);
    builder.addNested(0, other);
    start(0);
    builder.addNested(0, other);
    RankPlan plan = builder.build();

    assertThat(plan.nestedPlans()).hasSize(1);
    assertThat(plan.nested(0)).isSameAs(other);
  }

  @Test
  void aPlanThatIsStartedHasNoSourceLinesOfTheOneBefore() {
    start(0);
    builder.addLocalSync(ActionKind.POST, 0, 0);
    builder.setSource("before");
    builder.addLocalSync(ActionKind.POST, 0, 0);
    builder.setSource("before");
    start(0);
    builder.addLocalSync(ActionKind.POST, 0, 0);
    builder.addLocalSync(ActionKind.POST, 0, 0);
    assertThat(builder.build().hasSources()).isFalse();

    builder.setSource("after");
    RankPlan plan = builder.build();
    assertThat(plan.source(0)).isEqualTo("?");
    assertThat(plan.source(1)).isEqualTo("after");
  }

  @Test
  void plansOfOneInternerShareWhatIsEqual() {
    start(0);
    addOneOfEach(0);
    RankPlan first = builder.build();
    start(2);
    addOneOfEach(2);
    RankPlan second = builder.build();

    assertThat(second.actions()).isSameAs(first.actions());
    assertThat(second).isNotEqualTo(first);
    assertThat(first.srcRank(0, 0)).isEqualTo(5);
    assertThat(second.srcRank(0, 0)).isEqualTo(7);
    assertThat(second.srcRank(1, 0)).isEqualTo(2);
  }
}
