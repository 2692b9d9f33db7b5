package dev.tutti.host.group;

import dev.tutti.host.planning.SelectedPlan;

/** What one process has planned for its rank, before all have said that they planned the same. */
public interface PreparedPlan {

  /** The plan. */
  SelectedPlan planned();
}
