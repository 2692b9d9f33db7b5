package dev.tutti.base.idle;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;

/**
 * How long a waiting thread spins and then yields before it parks. Immutable; any number of threads
 * share it, each with its own {@link Idler}. {@link Waiting} has the strategies of the host.
 *
 * @param clock measures the times; it is not read if they are 0
 * @param spins the number of spins before it reads the clock
 * @param spinNanos the time that it spins after that
 * @param yields the smallest number of yields
 * @param yieldNanos the shortest time that it yields
 * @param slowYieldNanos a yield that takes longer gave the processor to a thread that needed it.
 *     For a while, the waiter then parks without yielding, and spins less while spinning does not
 *     help. 0 for a waiter that does not adapt
 */
public record IdleStrategy(
    Clock clock, int spins, long spinNanos, int yields, long yieldNanos, long slowYieldNanos) {

  /** A waiter that always waits in the same way. */
  public IdleStrategy(Clock clock, int spins, long spinNanos, int yields, long yieldNanos) {
    this(clock, spins, spinNanos, yields, yieldNanos, 0);
  }

  /** Checks the ranges. */
  public IdleStrategy {
    if (spins < 0 || spinNanos < 0 || yields < 0 || yieldNanos < 0 || slowYieldNanos < 0) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT,
          "spins, spinNanos, yields, yieldNanos and slowYieldNanos must be 0 or more. Actual: %d, %d,"
              + " %d, %d, %d",
          spins,
          spinNanos,
          yields,
          yieldNanos,
          slowYieldNanos);
    }
  }

  /** The state of one waiter. */
  public Idler newIdler() {
    return new Idler(this);
  }
}
