package dev.tutti.base.idle;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * A clock whose time passes only when a thread reads it or sleeps by it: a read advances it by a
 * step, and a sleep ends soon, at the time at which it should end. A sleep of half a millisecond or
 * more lets a tenth of it really pass, at most half a millisecond, so that a time that should be
 * enough for other threads to do their work is enough on a busy machine, too.
 */
public final class TickingClock implements Clock {

  private static final long LONG_NANOS = 500_000;
  private static final int PART = 10;

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
    long asked = untilNanos - now.getAndAccumulate(untilNanos, Math::max);
    if (asked >= LONG_NANOS) {
      LockSupport.parkNanos(blocker, Math.min(asked / PART, LONG_NANOS));
    } else {
      Thread.yield();
    }
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
