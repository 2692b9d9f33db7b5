package dev.tutti.simulator.flow;

import dev.tutti.plan.RankPlan;

/** Gives the source lines of actions. */
@FunctionalInterface
public interface Sources {

  /** The lines that the plans themselves hold. */
  Sources OF_PLAN = RankPlan::source;

  /** The line that emitted an action, or {@code "?"}. */
  String line(RankPlan plan, int action);
}
