package dev.tutti.host.group;

import dev.tutti.host.planning.SelectedPlan;
import dev.tutti.host.watch.Counters;

/**
 * Counts the runs of one plan by ranks. One thread at a time runs the plan and counts. Any thread
 * may read the count; it may lack the last runs.
 */
final class RunTally {

  private final SelectedPlan planned;
  private final Counters counters;
  private long runs;
  private long nanos;

  /** Whether each run is added directly to the counters, because this tally is no longer read. */
  private volatile boolean isSettled;

  RunTally(SelectedPlan planned, Counters counters) {
    this.planned = planned;
    this.counters = counters;
  }

  SelectedPlan planned() {
    return planned;
  }

  /** Counts a run. */
  void ran(long inNanos) {
    if (isSettled) {
      planned.count(counters, 1, inNanos);
      planned.generation().ran(1);
    } else {
      runs++;
      nanos += inNanos;
    }
  }

  /** Adds the runs that have not been counted yet. */
  void addTo(Counters others) {
    if (!isSettled) {
      planned.count(others, runs, nanos);
    }
  }

  /** Adds the remaining runs; called once, when the tally is no longer read. */
  void settle() {
    addTo(counters);
    planned.generation().ran(runs);
    isSettled = true;
  }
}
