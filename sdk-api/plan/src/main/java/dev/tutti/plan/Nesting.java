package dev.tutti.plan;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.util.List;

/**
 * The nesting depth of a plan, and its number of actions with all nested plans.
 *
 * @param depth the levels below the plan
 * @param actions the number of actions, with those of the nested plan instead of each NESTED
 *     action; {@link Long#MAX_VALUE} if there are more
 */
record Nesting(int depth, long actions) {

  /** The most levels of plans nested in plans; consumers may recurse that deep. */
  static final int MAX_DEPTH = 64;

  /**
   * The nesting of a plan.
   *
   * @param nested the nesting of its nested plans, by their index
   * @throws TuttiException with {@link ErrorCode#INVALID_PLAN} if the nesting is too deep
   */
  static Nesting of(int rank, Actions actions, List<Nesting> nested) {
    if (nested.isEmpty()) {
      return new Nesting(0, actions.count());
    }
    int depth = 1 + nested.stream().mapToInt(Nesting::depth).max().orElse(0);
    if (depth > MAX_DEPTH) {
      throw new TuttiException(
          ErrorCode.INVALID_PLAN,
          "plans can be nested %d levels deep at most; the plan of rank %d goes deeper, so make one"
              + " long sequence instead of sequences of sequences",
          MAX_DEPTH,
          rank);
    }
    return new Nesting(depth, expanded(actions, nested));
  }

  private static long expanded(Actions actions, List<Nesting> nested) {
    long total = actions.count();
    for (int action = 0; action < actions.count(); action++) {
      if (Actions.kind(actions.head(action)) == ActionKind.NESTED) {
        long inner = nested.get(actions.argument(action)).actions - 1;
        total = inner > Long.MAX_VALUE - total ? Long.MAX_VALUE : total + inner;
      }
    }
    return total;
  }
}
