package dev.tutti.mutation;

import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.verifier.matrix.CollectiveCase;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * An algorithm that makes a mistake if all of some conditions hold, and is otherwise correct.
 *
 * @param conditions the conditions, each on a different axis; none if the algorithm is always wrong
 */
record WrongAlgorithm(List<Condition> conditions, Mistake mistake, Site site) {

  WrongAlgorithm {
    conditions = List.copyOf(conditions);
  }

  boolean isWrongIn(CollectiveCase c) {
    return conditions.stream().allMatch(condition -> condition.holdsIn(c));
  }

  /** The plan with the mistake; null if the mistake would not change this plan. */
  @Nullable WrongPlan plan(Situation situation, List<CollExecutorBase<?>> executors) {
    return mistake.isOfRequest()
        ? WrongRequest.of(situation, mistake, executors)
        : WrongActions.of(situation, mistake, site);
  }

  @Override
  public String toString() {
    String when =
        conditions.isEmpty()
            ? "always"
            : conditions.stream().map(Condition::text).collect(Collectors.joining(", "));
    return mistake.label() + (mistake.isOfRequest() ? "" : " " + site) + " when " + when;
  }
}
