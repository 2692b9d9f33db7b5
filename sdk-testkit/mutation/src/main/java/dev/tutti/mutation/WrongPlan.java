package dev.tutti.mutation;

import dev.tutti.plan.GroupPlan;
import java.util.List;

/**
 * A plan with a mistake.
 *
 * @param origins for each rank and action, the action of the original that it equals or comes from;
 *     empty for the plan of another request
 */
record WrongPlan(GroupPlan plan, List<List<Integer>> origins) {

  WrongPlan {
    origins = List.copyOf(origins);
  }

  boolean hasOrigins() {
    return !origins.isEmpty();
  }

  int origin(int rank, int action) {
    return origins.get(rank).get(action);
  }
}
