package dev.tutti.simulator.flow;

import dev.tutti.plan.RankPlan;

/** Knows the author's lines. */
@FunctionalInterface
public interface Sources {

  /** The lines that the plans themselves remember. */
  Sources OF_PLAN = RankPlan::source;

  /** The line that emitted an action, or {@code "?"}. */
  String line(RankPlan plan, int action);
}
