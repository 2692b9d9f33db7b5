package dev.tutti.base.idle;

import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * The time that deadlines, timeouts and watchdogs go by, and the way to sleep until it has come. It
 * is passed to everything that waits, so that a test can set the time by hand. Thread-safe.
 */
public interface Clock {

  /** The clock of the machine. */
  static Clock system() {
    return SystemClock.INSTANCE;
  }

  /** The time in nanoseconds, from any origin; compare two of them by their difference. */
  long nanoTime();

  /**
   * Parks the thread until a time has come. May return early, as {@link LockSupport#park} does:
   * when the thread is unparked or interrupted, or for no reason.
   *
   * @param blocker what the thread waits for, which thread dumps show
   * @param untilNanos a time of this clock
   */
  void parkUntil(Object blocker, long untilNanos);

  /** As {@link #parkUntil}, from now on. */
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
   * Looks again and again whether something is so. Parks in between, and ends early when the thread
   * is interrupted, whose flag it leaves set.
   *
   * @param patienceNanos how long to look at most
   * @param pauseNanos the time between two looks
   * @return whether it was so at the last look
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
