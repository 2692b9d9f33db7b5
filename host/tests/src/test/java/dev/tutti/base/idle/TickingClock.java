package dev.tutti.base.idle;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A clock whose time passes only when a thread reads it or sleeps by it: a read advances it by a
 * step, and a sleep returns at once, at the time at which it should end.
 */
public final class TickingClock implements Clock {

  private final AtomicLong now = new AtomicLong();
  private final AtomicLong sleeps = new AtomicLong();
  private final long stepNanos;

  /** A clock that begins at 0. */
  public TickingClock(Duration step) {
    stepNanos = step.toNanos();
  }

  @Override
  public long nanoTime() {
    return now.getAndAdd(stepNanos);
  }

  @Override
  public void parkUntil(Object blocker, long untilNanos) {
    sleeps.incrementAndGet();
    now.accumulateAndGet(untilNanos, Math::max);
    Thread.yield();
  }

  /** Moves the time on. */
  public void advance(Duration by) {
    now.addAndGet(by.toNanos());
  }

  /** The number of sleeps by this clock. */
  public long sleeps() {
    return sleeps.get();
  }
}
