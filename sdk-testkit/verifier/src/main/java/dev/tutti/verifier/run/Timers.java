package dev.tutti.verifier.run;

import java.util.Comparator;
import java.util.PriorityQueue;

/**
 * The timers of a run, ordered by step. Timers of the same step fire in the order in which they
 * were set.
 */
final class Timers {

  /** What a timer does at its step. */
  enum Kind {
    /** A delayed stream continues. */
    WAKE,
    /** A duplicated signal arrives. */
    ARRIVE,
    /** The deadline of a wait passes. */
    EXPIRE
  }

  /**
   * One timer.
   *
   * @param at the step
   * @param number its number among all timers of the run, in the order of setting
   * @param target a stream, or for ARRIVE a cell
   */
  record Timer(long at, long number, Kind kind, int target) {}

  private final PriorityQueue<Timer> queue =
      new PriorityQueue<>(Comparator.comparingLong(Timer::at).thenComparingLong(Timer::number));
  private long count;

  /** Sets a timer and returns its number. */
  long set(long at, Kind kind, int target) {
    queue.add(new Timer(at, ++count, kind, target));
    return count;
  }

  /** The step of the next timer, or {@link Long#MAX_VALUE}. */
  long next() {
    Timer first = queue.peek();
    return first == null ? Long.MAX_VALUE : first.at();
  }

  /** Removes and returns the next timer; there must be one. */
  Timer take() {
    return queue.remove();
  }
}
