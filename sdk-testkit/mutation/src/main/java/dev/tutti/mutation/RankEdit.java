package dev.tutti.mutation;

import dev.tutti.plan.RankPlan;
import dev.tutti.plan.RankPlanBuilder;
import java.util.ArrayList;
import java.util.List;

/** A list of a rank's actions that can be edited. Not thread-safe. */
final class RankEdit {

  /** Emits an action that is kept, changed or new. */
  interface Emission {
    void emit(RankPlanBuilder builder);
  }

  /**
   * An action.
   *
   * @param origin the action of the original that it equals or comes from
   */
  private record Entry(int origin, Emission emission) {}

  private final RankPlan original;
  private final List<Entry> entries = new ArrayList<>();

  RankEdit(RankPlan original) {
    this.original = original;
    for (int action = 0; action < original.actionCount(); action++) {
      entries.add(kept(action));
    }
  }

  private Entry kept(int action) {
    return new Entry(action, builder -> builder.append(original, action));
  }

  private int indexOf(int action) {
    for (int index = 0; index < entries.size(); index++) {
      if (entries.get(index).origin() == action) {
        return index;
      }
    }
    throw new IllegalArgumentException("action " + action + " was dropped");
  }

  void drop(int action) {
    entries.remove(indexOf(action));
  }

  void replace(int action, Emission emission) {
    entries.set(indexOf(action), new Entry(action, emission));
  }

  void insertAfter(int action, Emission emission) {
    entries.add(indexOf(action) + 1, new Entry(action, emission));
  }

  void repeat(int action) {
    entries.add(indexOf(action) + 1, kept(action));
  }

  /** Moves an action to just before an earlier one. */
  void moveBefore(int action, int earlier) {
    Entry moved = entries.remove(indexOf(action));
    entries.add(indexOf(earlier), moved);
  }

  RankPlan plan() {
    RankPlanBuilder builder = new RankPlanBuilder(original);
    entries.forEach(entry -> entry.emission().emit(builder));
    return builder.build();
  }

  /** For each current action, the action of the original that it equals or comes from. */
  List<Integer> origins() {
    return entries.stream().map(Entry::origin).toList();
  }
}
