package dev.tutti.engine.queue;

import dev.tutti.base.idle.Clock;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** The threads of ranks that sleep because there is nothing they could do. Thread-safe. */
final class RankThreads {

  private final Clock clock;
  private final AtomicReferenceArray<@Nullable Thread> parked;
  private final AtomicInteger sleepers = new AtomicInteger();

  RankThreads(int places, Clock clock) {
    this.clock = clock;
    this.parked = new AtomicReferenceArray<>(places);
  }

  /** Whether any thread sleeps, or is about to. */
  boolean doAnySleep() {
    return sleepers.get() > 0;
  }

  /** Says that this thread is about to sleep; it then looks once more whether it has to. */
  void lieDown(int place) {
    parked.set(place, Thread.currentThread());
    sleepers.getAndIncrement();
  }

  /** Sleeps until this thread is woken up, or for a time. */
  void sleep(long nanos) {
    clock.park(this, nanos);
  }

  void getUp(int place) {
    sleepers.getAndDecrement();
    parked.set(place, null);
  }

  void wake(int place) {
    LockSupport.unpark(parked.get(place));
  }

  void wakeAll() {
    for (int place = 0; place < parked.length(); place++) {
      wake(place);
    }
  }
}
