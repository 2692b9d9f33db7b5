package dev.tutti.simulator.flow;

import dev.tutti.plan.RankPlan;
import org.jspecify.annotations.Nullable;

/** A stream of a plan without nested plans: a view that holds no events of its own. */
final class PlanStream extends FlatStream {

  private final RankPlan plan;

  /** The {@link #sync} of each form of action, starting at {@code firstSync}. */
  private final int[] syncs;

  private final int firstSync;

  /** The plan's actions on this stream; null if all are. */
  private final int @Nullable [] actions;

  /** 1 on a main stream, whose first event is BEGIN. */
  private final int begin;

  private final int size;

  /**
   * A view of one stream.
   *
   * @param syncs filled by {@link #fillSyncs}
   * @param firstSync the start of the plan's part
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

  /** Stores the {@link #sync} of each form of action of a plan. */
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
   * @param hint an event at or before it
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
