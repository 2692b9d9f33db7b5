package dev.tutti.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.TransportMemType;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ActionsTest {

  /** Numbers of different actions for codes of bytes, chars and ints, and around the limits. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 63, 64, 65, 255, 256, 257, 65_535, 65_536, 65_537, 200_000})
  void actionsOfAnyVarietyAreKept(int variety) {
    RankPlanBuilder builder = new RankPlanBuilder(0).notifyCount(variety).streamCount(2);
    for (int action = 0; action < variety; action++) {
      builder.post(action % 2, RankPlan.NO_LINK, action);
      if (action % 3 == 0) {
        builder.copy(0, mem(2L * action), mem(action));
      }
    }
    RankPlan plan = builder.build();

    int read = 0;
    for (int action = 0; action < variety; action++) {
      assertThat(plan.kind(read)).isEqualTo(ActionKind.POST);
      assertThat(plan.stream(read)).isEqualTo(action % 2);
      assertThat(plan.notify(read++)).isEqualTo(action);
      if (action % 3 == 0) {
        assertThat(plan.dstOffset(read)).isEqualTo(2L * action);
        assertThat(plan.srcOffset(read++, 0)).isEqualTo(action);
      }
    }
    assertThat(plan.actionCount()).isEqualTo(read);
    RankPlan again = new RankPlanBuilder(plan).appendAll(plan).build();
    assertThat(again).isEqualTo(plan).hasSameHashCodeAs(plan);
    assertThat(new RankPlanBuilder(plan).appendAll(plan).append(plan, 0).build())
        .isNotEqualTo(plan);
  }

  private static DeviceMem mem(long offset) {
    return new DeviceMem(0, TransportMemType.SCRATCH, offset, 1);
  }
}
