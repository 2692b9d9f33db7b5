package dev.tutti.plan;

import static dev.tutti.plan.Pair.IN;
import static dev.tutti.plan.Pair.OUT;
import static dev.tutti.plan.Refusal.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.TransportMemType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class PlanSequenceTest {

  private static final GroupPlan RING = SamplePlans.ring();

  @Test
  void aRankPostsAfterThePartAndAwaitsBeforeTheLaterOne() {
    GroupPlan plan =
        GroupPlan.sequence("two", List.of(RING, RING), List.of(new PartOrder(1, 0, 0, 1)));

    plan.check();
    assertThat(kinds(plan.rank(0)))
        .containsExactly(ActionKind.NESTED, ActionKind.AWAIT, ActionKind.NESTED);
    assertThat(kinds(plan.rank(1)))
        .containsExactly(ActionKind.NESTED, ActionKind.POST, ActionKind.NESTED);
    assertThat(plan.rank(0).linkPeer(plan.rank(0).link(1))).isEqualTo(1);
  }

  @Test
  void eachOrderHasANotifyOfItsOwn() {
    int parts = 1500;
    List<PartOrder> orders = new ArrayList<>();
    for (int part = 0; part + 1 < parts; part++) {
      orders.add(new PartOrder(0, part, 1, part + 1));
      orders.add(new PartOrder(1, part, 0, part + 1));
    }
    GroupPlan plan = GroupPlan.sequence("many", Collections.nCopies(parts, RING), orders);

    plan.check();
    RankPlan rank = plan.rank(0);
    long notifies =
        kindsAt(rank, ActionKind.AWAIT).stream()
            .map(action -> rank.link(action) + ":" + rank.notify(action))
            .distinct()
            .count();
    assertThat(notifies).isEqualTo(parts - 1);
  }

  @Test
  void anOrderThatLeadsNowhereIsRefused() {
    for (PartOrder wrong :
        List.of(
            new PartOrder(0, 1, 1, 1),
            new PartOrder(0, 0, 0, 1),
            new PartOrder(0, 0, 2, 1),
            new PartOrder(0, 0, 1, 2))) {
      assertRefused(
          () -> GroupPlan.sequence("", List.of(RING, RING), List.of(wrong)),
          ErrorCode.INVALID_PLAN,
          "an order must lead from a part to a later one of 2, and from a rank to another one of 2."
              + " Actual: "
              + wrong);
    }
  }

  @Test
  void aRelocatedPlanDoesTheSameElsewhere() {
    GroupPlan plan = SamplePlans.everything();
    GroupPlan moved = plan.relocated(new Shifted(plan, 4096));
    int reduction = kindsAt(plan.rank(0), ActionKind.REDUCE_FROM).getFirst();

    assertThat(moved.relocated(new Shifted(plan, -4096))).isEqualTo(plan);
    assertThat(moved.rank(0).memSize(OUT)).isEqualTo(plan.rank(0).memSize(OUT) + 4096);
    assertThat(moved.rank(0).dstOffset(reduction))
        .isEqualTo(plan.rank(0).dstOffset(reduction) + 4096);
    assertThat(moved.rank(0).srcType(reduction, 1)).isEqualTo(IN);
  }

  @Test
  void nestedPlansAreMovedToo() {
    GroupPlan nested = SamplePlans.nested();
    RankPlan rank = nested.relocated(new Shifted(nested, 4096)).rank(1);
    RankPlan innermost = rank.nested(0).nested(0);
    RankPlan ring = SamplePlans.ring().rank(1);

    assertThat(innermost.dstOffset(0)).isEqualTo(ring.dstOffset(0) + 4096);
    assertThat(innermost.source(0)).isEqualTo(ring.source(0));
  }

  private record Shifted(GroupPlan plan, long bytes) implements Placement {
    @Override
    public DeviceMem place(DeviceMem span) {
      return new DeviceMem(span.rank(), span.type(), span.offset() + bytes, span.size());
    }

    @Override
    public long memSize(int rank, TransportMemType type) {
      return plan.rank(rank).memSize(type) + Math.max(0, bytes);
    }
  }

  private static List<ActionKind> kinds(RankPlan plan) {
    List<ActionKind> kinds = new ArrayList<>();
    for (int action = 0; action < plan.actionCount(); action++) {
      kinds.add(plan.kind(action));
    }
    return kinds;
  }

  private static List<Integer> kindsAt(RankPlan plan, ActionKind kind) {
    List<Integer> found = new ArrayList<>();
    for (int action = 0; action < plan.actionCount(); action++) {
      if (plan.kind(action) == kind) {
        found.add(action);
      }
    }
    return found;
  }
}
