package dev.tutti.simulator.flow;

import dev.tutti.plan.RankPlan;
import org.jspecify.annotations.Nullable;

/** A stream of a plan without nested plans: a view that holds no events of its own. */
final class PlanStream extends FlatStream {

  private final RankPlan plan;

  /** What {@link #sync} is for each form of action, from a place on. */
  private final int[] syncs;

  private final int firstSync;

  /** The plan's actions on this stream; null if all are. */
  private final int @Nullable [] actions;

  /** 1 on a main stream, whose first event is BEGIN. */
  private final int begin;

  private final int size;

  /**
   * A view.
   *
   * @param syncs filled by {@link #fillSyncs}
   * @param firstSync where the plan's part of them begins
   */
  PlanStream(
      RankPlan plan,
      int[] syncs,
      int firstSync,
      int number,
      int @Nullable [] actions,
      Sources sources) {
    super(plan.rank(), number, sources);
    this.plan = plan;
    this.syncs = syncs;
    this.firstSync = firstSync;
    this.actions = actions;
    this.begin = number == 0 ? 1 : 0;
    this.size = (actions == null ? plan.actionCount() : actions.length) + 2 * begin;
  }

  /** Notes what {@link #sync} is for each form of action of a plan. */
  static void fillSyncs(Place.Node node, int[] syncs, int firstSync) {
    RankPlan plan = node.plan();
    for (int form = 0; form < plan.formCount(); form++) {
      syncs[firstSync + form] = sync(node, plan.firstOfForm(form));
    }
  }

  @Override
  public int size() {
    return size;
  }

  @Override
  public int sync(int event) {
    int action = action(event);
    return action != NO_ACTION ? syncs[firstSync + plan.form(action)] : event == 0 ? BEGIN : END;
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

  /**
   * The event of an action of this stream.
   *
   * @param hint an event that is not after it
   */
  int event(int action, int hint) {
    if (actions == null) {
      return action + begin;
    }
    int index = Math.max(hint - begin, 0);
    while (actions[index] != action) {
      index++;
    }
    return index + begin;
  }

  @Override
  public int part(int event) {
    return NO_PART;
  }
}
