package dev.tutti.testkit.flow;

import dev.tutti.sdk.plan.RankPlan;
import org.jspecify.annotations.Nullable;

/** A stream of a plan without nested plans: a view that holds no events of its own. */
final class PlanStream extends FlatStream {

  private final Place.Node node;
  private final RankPlan plan;

  /** The plan's actions on this stream; null if all are. */
  private final int @Nullable [] actions;

  /** 1 on a main stream, whose first event is BEGIN. */
  private final int begin;

  private final int size;

  PlanStream(Place.Node node, int number, int @Nullable [] actions, Sources sources) {
    super(node.plan().rank(), number, sources);
    this.node = node;
    this.plan = node.plan();
    this.actions = actions;
    this.begin = number == 0 ? 1 : 0;
    this.size = (actions == null ? plan.actionCount() : actions.length) + 2 * begin;
  }

  @Override
  public int size() {
    return size;
  }

  @Override
  public int sync(int event) {
    int action = action(event);
    return action != NO_ACTION ? sync(node, action) : event == 0 ? BEGIN : END;
  }

  @Override
  public RankPlan plan(int event) {
    return plan;
  }

  @Override
  public int action(int event) {
    int index = event - begin;
    if (begin == 1 && (index < 0 || event == size - 1)) {
      return NO_ACTION;
    }
    return actions == null ? index : actions[index];
  }

  @Override
  public int part(int event) {
    return NO_PART;
  }
}
