package dev.tutti.base.idle;

import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * The clock of deadlines, timeouts and watchdogs, and the way to sleep until a time. It is passed
 * to everything that waits, so that a test can control the time. Thread-safe.
 */
public interface Clock {

  /** The clock of the machine. */
  static Clock system() {
    return SystemClock.INSTANCE;
  }

  /** The time in nanoseconds, from an arbitrary origin; compare two times by their difference. */
  long nanoTime();

  /**
   * Parks the thread until a time. May return early, as {@link LockSupport#park} does: when the
   * thread is unparked or interrupted, or for no reason.
   *
   * @param blocker the object that the thread waits for, which thread dumps show
   * @param untilNanos a time of this clock
   */
  void parkUntil(Object blocker, long untilNanos);

  /** As {@link #parkUntil}, for a time from now. */
  default void park(Object blocker, long nanos) {
    parkUntil(blocker, nanoTime() + nanos);
  }

  /**
   * Sleeps, and does not wake up early.
   *
   * @throws InterruptedException if the thread is interrupted
   */
  default void sleep(long nanos) throws InterruptedException {
    long end = nanoTime() + nanos;
    while (!Thread.interrupted()) {
      if (nanoTime() - end >= 0) {
        return;
      }
      parkUntil(this, end);
    }
    throw new InterruptedException();
  }

  /**
   * Polls a condition until it holds, and parks between two polls. Ends early if the thread is
   * interrupted; the interrupt flag stays set.
   *
   * @param patienceNanos the longest time to poll
   * @param pauseNanos the time between two polls
   * @return whether the condition held at the last poll
   */
  default boolean awaitUntil(BooleanSupplier condition, long patienceNanos, long pauseNanos) {
    long end = nanoTime() + patienceNanos;
    while (!condition.getAsBoolean()) {
      if (nanoTime() - end > 0 || Thread.currentThread().isInterrupted()) {
        return false;
      }
      park(condition, pauseNanos);
    }
    return true;
  }
}
