package dev.tutti.verifier.process;

import java.time.Duration;

/**
 * The limits of a process for a piece of work.
 *
 * @param processorTime its own and that of the processes it starts
 * @param wallClock a second limit, for a process that waits for ever; far longer, because a busy
 *     machine makes every wait longer
 */
public record ChildLimits(Duration processorTime, Duration wallClock) {

  private static final int NET = 10;

  /** Limits on processor time, with a net of ten times as much and a minute. */
  public static ChildLimits of(Duration processorTime) {
    return new ChildLimits(processorTime, processorTime.multipliedBy(NET).plusMinutes(1));
  }
}
