package dev.tutti.simulator;

import dev.tutti.plan.ActionRef;

/**
 * One action on a critical path.
 *
 * @param action what is done, where, and the author's line
 * @param start picoseconds; when its last wait ended
 * @param end picoseconds
 */
public record PathStep(ActionRef action, long start, long end) {

  @Override
  public String toString() {
    return TimeText.time(start) + " to " + TimeText.time(end) + ": " + action;
  }
}
