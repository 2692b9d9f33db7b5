package dev.tutti.mutation;

import dev.tutti.plan.GroupPlan;
import java.util.List;

/**
 * A plan with one action changed.
 *
 * @param operator the change of the action
 * @param rank the rank whose action was changed
 * @param action the action, as numbered in the original
 * @param text the change in words
 * @param plan the changed plan
 * @param origins for each action of that rank's changed plan, the action of the original that it
 *     equals or comes from
 */
public record Mutant(
    Operator operator, int rank, int action, String text, GroupPlan plan, List<Integer> origins) {

  /** Takes an immutable copy. */
  public Mutant {
    origins = List.copyOf(origins);
  }

  /** The action of the original that an action of the changed plan comes from. */
  int origin(int ofRank, int changedAction) {
    return ofRank == rank ? origins.get(changedAction) : changedAction;
  }

  @Override
  public String toString() {
    return operator.label() + ": rank " + rank + " action " + action + " " + text;
  }
}
