package dev.tutti.verifier.process;

import java.time.Duration;

/**
 * The limits of a child process for a piece of work.
 *
 * @param processorTime processor time of the child and of the processes that it starts
 * @param wallClock a second limit, for a child that waits for ever; far longer, because a busy
 *     machine makes every wait longer
 */
public record ChildLimits(Duration processorTime, Duration wallClock) {

  private static final int NET = 10;

  /** Limits on processor time, and on wall time of ten times as much plus one minute. */
  public static ChildLimits of(Duration processorTime) {
    return new ChildLimits(processorTime, processorTime.multipliedBy(NET).plusMinutes(1));
  }
}
