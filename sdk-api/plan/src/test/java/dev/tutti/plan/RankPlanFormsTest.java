package dev.tutti.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.TransportMemType;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RankPlanFormsTest {

  private static DeviceMem scratch(int rank, long offset) {
    return new DeviceMem(rank, TransportMemType.SCRATCH, offset, 4);
  }

  @Test
  void actionsOfOneFormDifferInTheirMemoryOnly() {
    RankPlan plan =
        new RankPlanBuilder(0)
            .streamCount(2)
            .notifyCount(2)
            .copy(0, scratch(0, 0), scratch(1, 8))
            .post(0, RankPlan.NO_LINK, 0)
            .copy(0, scratch(0, 4), scratch(2, 8))
            .copy(1, scratch(0, 4), scratch(2, 8))
            .post(0, RankPlan.NO_LINK, 1)
            .post(0, RankPlan.NO_LINK, 0)
            .build();

    assertThat(plan.formCount()).isEqualTo(4);
    assertThat(forms(plan)).containsExactly(0, 1, 0, 2, 3, 1);
    assertThat(plan.firstOfForm(2)).isEqualTo(3);
    assertThat(plan.firstOfForm(1)).isEqualTo(1);
  }

  private static List<Integer> forms(RankPlan plan) {
    List<Integer> forms = new ArrayList<>();
    for (int action = 0; action < plan.actionCount(); action++) {
      forms.add(plan.form(action));
    }
    return forms;
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void accessesAreThoseOfTheActions(long seed) {
    RankPlan like = new RankPlanBuilder(0).streamCount(3).notifyCount(2).build();
    RankPlanBuilder builder = new RankPlanBuilder(like);
    RandomActions.of(like, 200, 1 << 20, new Random(seed)).forEach(action -> action.addTo(builder));
    RankPlan plan = builder.build();
    List<String> expected = new ArrayList<>();
    for (int action = 0; action < plan.actionCount(); action++) {
      if (plan.kind(action).isData()) {
        for (int i = 0; i < plan.sourceCount(action); i++) {
          expected.add(action + " reads " + plan.src(action, i));
        }
        expected.add(action + " writes " + plan.dst(action));
      }
    }

    List<String> seen = new ArrayList<>();
    plan.forEachAccess(
        (action, rank, type, offset, bytes, isWrite) ->
            seen.add(
                action
                    + (isWrite ? " writes " : " reads ")
                    + new DeviceMem(rank, type, offset, bytes)));

    assertThat(seen).isNotEmpty().isEqualTo(expected);
  }

  @Test
  void aPlanWithoutDataHasNoAccesses() {
    RankPlan plan = new RankPlanBuilder(0).notifyCount(1).post(0, -1, 0).build();
    plan.forEachAccess(
        (action, rank, type, offset, bytes, isWrite) -> {
          throw new AssertionError("action " + action);
        });
    assertThat(plan.hasNested()).isFalse();
    RankPlan outer = new RankPlanBuilder(0).nested(0, plan).build();
    assertThat(outer.hasNested()).isTrue();
    assertThat(outer.formCount()).isEqualTo(1);
  }

  @Test
  void aReductionReadsWhatItWrites() {
    RankPlan plan =
        new RankPlanBuilder(0)
            .reduce(0, scratch(0, 0), scratch(1, 8), DataType.INT32, ReduceOp.SUM)
            .build();
    List<Boolean> writes = new ArrayList<>();
    plan.forEachAccess((action, rank, type, offset, bytes, isWrite) -> writes.add(isWrite));
    assertThat(writes).containsExactly(false, true);
  }
}
