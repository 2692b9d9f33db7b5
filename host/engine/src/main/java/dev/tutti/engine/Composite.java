package dev.tutti.engine;

import dev.tutti.plan.GroupPlan;
import dev.tutti.plan.PartOrder;
import dev.tutti.plan.RankPlan;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;

/**
 * A composition joined to one plan.
 *
 * @param composition the composition that was joined
 * @param parts the plans of the parts, over the memories of the composition
 * @param plan all parts as one
 * @param orders the order that was added between the parts
 * @param colors how many parts may have staging buffers and scratch of their own at a time
 */
public record Composite(
    Composition composition,
    List<GroupPlan> parts,
    GroupPlan plan,
    List<PartOrder> orders,
    int colors) {

  /** The most actions that pruning examines; with more actions, redundant order may remain. */
  private static final long MAX_PRUNING = 20_000_000;

  /**
   * Joins the parts of a composition.
   *
   * @throws dev.tutti.sdk.TuttiException with code DEADLOCK if a part can never finish, with
   *     INVALID_PLAN if there is no part
   */
  public static Composite of(String name, Composition composition) {
    Coloring coloring = new Coloring(composition);
    while (true) {
      List<GroupPlan> plans = coloring.relocated();
      Join.Result joined = Join.of(composition.ranks(), plans, List.of());
      if (joined.waitsForOwnMemory().isEmpty() || !coloring.recolor(joined.waitsForOwnMemory())) {
        List<PartOrder> orders = pruned(composition.ranks(), plans, joined.orders());
        GroupPlan plan = GroupPlan.sequence(name, plans, orders);
        return new Composite(composition, plans, plan, orders, coloring.colors());
      }
    }
  }

  /** The divisors of the rank plans of the parts that divide; keys are compared by identity. */
  IdentityHashMap<RankPlan, Integer> divisors() {
    IdentityHashMap<RankPlan, Integer> divisors = new IdentityHashMap<>();
    for (int i = 0; i < parts.size(); i++) {
      int divisor = composition.parts().get(i).divisor();
      if (divisor != 0) {
        parts.get(i).ranks().forEach(plan -> divisors.put(plan, divisor));
      }
    }
    return divisors;
  }

  /** Drops order that later additions have made redundant. */
  private static List<PartOrder> pruned(int ranks, List<GroupPlan> plans, List<PartOrder> orders) {
    long actions = plans.stream().mapToLong(GroupPlan::actionCount).sum();
    List<PartOrder> left = orders;
    if (orders.size() < 2 || actions > MAX_PRUNING / orders.size()) {
      return left;
    }
    for (PartOrder order : orders) {
      List<PartOrder> without = new ArrayList<>(left);
      without.remove(order);
      left = Join.of(ranks, plans, without).orders().isEmpty() ? without : left;
    }
    return left;
  }
}
