package dev.tutti.base.idle;

import dev.tutti.host.Await;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** A clock that stands still until a test moves it on. Threads that sleep by it wake up then. */
public final class ManualClock implements Clock {

  private final AtomicLong now;
  private final Set<Thread> sleepers = ConcurrentHashMap.newKeySet();

  /** A clock that stands at 0. */
  public ManualClock() {
    this(0);
  }

  /** A clock that stands at a time. */
  public ManualClock(long nanos) {
    now = new AtomicLong(nanos);
  }

  @Override
  public long nanoTime() {
    return now.get();
  }

  /** Registers first and looks at the time afterwards; {@link #advance} does it the other way. */
  @Override
  public void parkUntil(Object blocker, long untilNanos) {
    Thread self = Thread.currentThread();
    sleepers.add(self);
    if (now.get() - untilNanos < 0) {
      LockSupport.park(blocker);
    }
    sleepers.remove(self);
  }

  /** Moves the time on. */
  public void advance(Duration by) {
    now.addAndGet(by.toNanos());
    sleepers.forEach(LockSupport::unpark);
  }

  /** Waits until a number of threads sleep by this clock. */
  public void awaitSleepers(int count) {
    Await.until(() -> sleepers.size() >= count);
  }
}
