package dev.tutti.engine.queue;

import dev.tutti.base.idle.Clock;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The threads that sleep because they have no work: one per rank, and other threads that wait for
 * the rank's operations. Thread-safe.
 */
final class RankThreads {

  private final Clock clock;
  private final AtomicReferenceArray<@Nullable Thread> parked;
  private final Map<Thread, Awaited> beside = new ConcurrentHashMap<>();

  /** Whether each rank's thread waits for the rank's operations, and takes part in them. */
  private final AtomicIntegerArray attending;

  private final AtomicInteger sleepers = new AtomicInteger();

  /**
   * The bells that wake the rank of this process, also from other processes; null if all ranks are
   * in this one.
   */
  private final @Nullable QueueBells bells;

  /** The event that another thread waits for: the end of an operation for a rank. */
  private record Awaited(int place, long number) {}

  /**
   * Starts without sleeping threads.
   *
   * @param bells the bells with which ranks of other processes wake the rank of this one; null if
   *     all ranks are in this one
   */
  RankThreads(int places, Clock clock, @Nullable QueueBells bells) {
    this.bells = bells;
    this.clock = clock;
    this.parked = new AtomicReferenceArray<>(places);
    this.attending = new AtomicIntegerArray(places);
  }

  /** Whether any thread sleeps, or is about to. */
  boolean doAnySleep() {
    return sleepers.get() > 0;
  }

  /** Announces that this thread will take part in a rank's operations until {@link #turnAway}. */
  void attend(int place) {
    attending.setRelease(place, 1);
  }

  void turnAway(int place) {
    attending.setRelease(place, 0);
  }

  /** Whether a rank's thread takes part in the rank's operations, and does not sleep; a hint. */
  boolean isAttended(int place) {
    return attending.getAcquire(place) != 0 && parked.getAcquire(place) == null;
  }

  /** Announces that this thread is about to sleep; it must then check again whether it has to. */
  void lieDown(int place) {
    parked.set(place, Thread.currentThread());
    sleepers.getAndIncrement();
    if (bells != null) {
      bells.lieDown();
    }
  }

  /** Sleeps, after {@link #lieDown}, until this thread is woken up, or for a time. */
  void sleepLying(long nanos) {
    if (bells == null || Thread.currentThread().isVirtual()) {
      sleep(nanos);
    } else {
      bells.sleep(nanos);
    }
  }

  /** Sleeps until this thread is woken up, or for a time. */
  void sleep(long nanos) {
    clock.park(this, nanos);
  }

  void getUp(int place) {
    if (bells != null) {
      bells.getUp();
    }
    sleepers.getAndDecrement();
    parked.set(place, null);
  }

  /** Announces that this thread will sleep repeatedly until an operation has ended for a rank. */
  void joins(int place, long number) {
    beside.put(Thread.currentThread(), new Awaited(place, number));
    sleepers.getAndIncrement();
  }

  void leaves() {
    sleepers.getAndDecrement();
    beside.remove(Thread.currentThread());
  }

  /**
   * Wakes a rank's thread, and the other threads whose operation has ended for the rank.
   *
   * @param ended the last operation that has ended for the rank
   */
  void wake(int place, long ended) {
    unpark(place);
    if (!beside.isEmpty()) {
      wakeBeside(place, ended);
    }
  }

  private void unpark(int place) {
    Thread sleeper = parked.get(place);
    if (sleeper != null) {
      LockSupport.unpark(sleeper);
      if (bells != null) {
        bells.ringOwn();
      }
    }
  }

  private void wakeBeside(int place, long ended) {
    for (Map.Entry<Thread, Awaited> each : beside.entrySet()) {
      if (each.getValue().place() == place && each.getValue().number() <= ended) {
        LockSupport.unpark(each.getKey());
      }
    }
  }

  void wakeAll() {
    for (int place = 0; place < parked.length(); place++) {
      unpark(place);
    }
    beside.keySet().forEach(LockSupport::unpark);
  }
}
