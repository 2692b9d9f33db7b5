package dev.tutti.base.idle;

import java.util.concurrent.locks.LockSupport;

/** The clock of the machine. */
final class SystemClock implements Clock {

  static final Clock INSTANCE = new SystemClock();

  private SystemClock() {}

  @Override
  public long nanoTime() {
    return System.nanoTime();
  }

  @Override
  public void parkUntil(Object blocker, long untilNanos) {
    LockSupport.parkNanos(blocker, untilNanos - System.nanoTime());
  }

  @Override
  public void park(Object blocker, long nanos) {
    LockSupport.parkNanos(blocker, nanos);
  }
}
