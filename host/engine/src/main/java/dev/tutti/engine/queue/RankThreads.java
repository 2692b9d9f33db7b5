package dev.tutti.engine.queue;

import dev.tutti.base.idle.Clock;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The threads that sleep because there is nothing they could do: one of each rank, and those that
 * wait beside it. Thread-safe.
 */
final class RankThreads {

  private final Clock clock;
  private final AtomicReferenceArray<@Nullable Thread> parked;
  private final Map<Thread, Integer> beside = new ConcurrentHashMap<>();
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

  /** Says that this thread will sleep, time and again, until something has ended for a rank. */
  void joins(int place) {
    beside.put(Thread.currentThread(), place);
    sleepers.getAndIncrement();
  }

  void leaves() {
    sleepers.getAndDecrement();
    beside.remove(Thread.currentThread());
  }

  void wake(int place) {
    LockSupport.unpark(parked.get(place));
    if (!beside.isEmpty()) {
      beside.forEach((thread, own) -> wakeIf(own == place, thread));
    }
  }

  private static void wakeIf(boolean isAddressed, Thread thread) {
    if (isAddressed) {
      LockSupport.unpark(thread);
    }
  }

  void wakeAll() {
    for (int place = 0; place < parked.length(); place++) {
      wake(place);
    }
  }
}
