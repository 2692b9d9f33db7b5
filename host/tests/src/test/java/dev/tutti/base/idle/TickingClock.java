package dev.tutti.base.idle;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A clock whose time passes only where somebody looks at it or sleeps by it: a look moves it on by
 * a step, and a sleep is over at once, at the time at which it should end.
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

  /** How often somebody has slept by it. */
  public long sleeps() {
    return sleeps.get();
  }
}
