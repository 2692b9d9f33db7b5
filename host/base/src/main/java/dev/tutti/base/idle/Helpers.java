package dev.tutti.base.idle;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Threads that take part in the work of others. Some of this work is <em>kept</em>: its owner works
 * on it, too, and wants all helpers at once. The other is <em>left</em>: its owners do something
 * else meanwhile. A helper is called for it, and calls another if there is more to do. As an owner
 * counts as a worker, left work has one helper more. Thread-safe.
 */
public final class Helpers implements AutoCloseable {

  private static final int MOST_OF_A_KIND = 64;
  private static final int SPINS_PER_LOOK = 64;

  /** How often idle helpers check whether other processes have made progress. */
  private static final long LOOK_NANOS = 1_000_000;

  private final IdleStrategy idle;
  private final Thread[] threads;

  /** The kept work, then the left work. A helper that reads it late finds nothing left to do. */
  private final AtomicReferenceArray<@Nullable SharedWork> active =
      new AtomicReferenceArray<>(2 * MOST_OF_A_KIND);

  /** Grows with all work that is published; idle helpers watch it. */
  private final AtomicInteger published = new AtomicInteger();

  /** Grows with left work; the helper that only takes part in this watches it. */
  private final AtomicInteger left = new AtomicInteger();

  /** The work that is shared with other processes. */
  private final List<SharedWork> shared = new CopyOnWriteArrayList<>();

  /** Whether each helper is parked, or about to park. */
  private final AtomicIntegerArray parked;

  private volatile boolean isClosed;

  /**
   * Starts the threads.
   *
   * @param name the beginning of the names of the threads
   * @param workers the threads that may work on one piece of work; with 1, there are no helpers
   * @param spinNanos how long an idle helper polls before it yields
   * @param yieldNanos how long an idle helper yields before it parks
   */
  public Helpers(String name, int workers, Waiting waiting, long spinNanos, long yieldNanos) {
    this.idle = waiting.helper(workers, spinNanos, yieldNanos);
    this.threads = new Thread[workers == 1 ? 0 : workers];
    this.parked = new AtomicIntegerArray(workers);
    for (int i = 0; i < threads.length; i++) {
      int worker = i + 1;
      threads[i] =
          Thread.ofPlatform().daemon().name(name + worker).unstarted(() -> helpForever(worker));
    }
    for (Thread thread : threads) {
      thread.start();
    }
  }

  /** Whether there are threads besides the owners'. */
  public boolean areThereAny() {
    return threads.length > 0;
  }

  /** Calls all helpers for kept work; returns its place, or -1 if it gets no help. */
  public int publishKept(SharedWork work) {
    int place = put(work, 0);
    if (place >= 0) {
      published.incrementAndGet();
      for (int i = 0; i < threads.length - 1; i++) {
        boolean ignored = wake(i);
      }
    }
    return place;
  }

  /** Calls a helper for left work; returns its place, or -1 if it gets no help. */
  public int publishLeft(SharedWork work) {
    int place = put(work, MOST_OF_A_KIND);
    if (place >= 0) {
      callOne();
    }
    return place;
  }

  private int put(SharedWork work, int first) {
    if (threads.length == 0) {
      return -1;
    }
    for (int place = first; place < first + MOST_OF_A_KIND; place++) {
      if (active.get(place) == null && active.compareAndSet(place, null, work)) {
        return place;
      }
    }
    return -1;
  }

  /** Ends what {@link #publishKept} or {@link #publishLeft} began. */
  public void withdraw(int place) {
    if (place >= 0) {
      active.set(place, null);
    }
  }

  /** Makes idle helpers check left and shared work again, and wakes one that sleeps, if any. */
  public void callOne() {
    left.incrementAndGet();
    published.incrementAndGet();
    boolean isCalled = false;
    for (int i = 0; i < threads.length && !isCalled; i++) {
      isCalled = wake(i);
    }
  }

  private boolean wake(int helper) {
    if (parked.get(helper) == 0 || !parked.compareAndSet(helper, 1, 0)) {
      return false;
    }
    LockSupport.unpark(threads[helper]);
    return true;
  }

  /**
   * Makes all waiting threads of this process, helpers included, take part in work that is shared
   * with other processes, until {@link #unshare}. Progress of the other processes wakes no thread,
   * so helpers poll.
   */
  public void share(SharedWork work) {
    shared.add(work);
    callOne();
  }

  /** Ends what {@link #share} began. */
  public void unshare(SharedWork work) {
    shared.remove(work);
  }

  /** Makes a waiting thread take part in shared work; true if there was anything to do. */
  public boolean helpShared() {
    boolean didWork = false;
    if (!shared.isEmpty()) {
      for (SharedWork each : shared) {
        didWork |= each.help(0);
      }
    }
    return didWork;
  }

  private void helpForever(int worker) {
    boolean onlyLeft = worker == threads.length;
    AtomicInteger news = onlyLeft ? left : published;
    int first = onlyLeft ? MOST_OF_A_KIND : 0;
    Idler idler = idle.newIdler();
    int seen = -1;
    while (!isClosed) {
      int before = news.get();
      if (helpAll(worker, first)) {
        forgetInterrupt();
        idler.reset();
        continue;
      }
      if (before != seen) {
        seen = before;
        idler.reset();
      }
      IdlePhase phase = idler.idle();
      if (phase == IdlePhase.SPIN) {
        spin(news, seen);
      } else if (phase == IdlePhase.PARK && park(worker, news, seen)) {
        idler.reset();
      }
    }
  }

  /**
   * Clears the interrupt flag, which the JVM sets on a thread if the close of an arena frees memory
   * that the thread uses. A thread with the flag cannot park, and interrupts are not used to end
   * helpers.
   */
  private static void forgetInterrupt() {
    boolean ignored = Thread.interrupted();
  }

  private boolean helpAll(int worker, int first) {
    boolean didWork = helpShared();
    for (int place = first; place < 2 * MOST_OF_A_KIND; place++) {
      SharedWork work = active.get(place);
      if (work != null) {
        didWork |= work.help(worker);
      }
    }
    return didWork;
  }

  /** Spins for a moment, while there is no new work, without reading the clock or checking all. */
  private static void spin(AtomicInteger news, int seen) {
    for (int i = 0; i < SPINS_PER_LOOK && news.get() == seen; i++) {
      Thread.onSpinWait();
    }
  }

  /**
   * Parks until work is published; announces itself first, so that no wake-up is missed. As long as
   * work is shared with other processes, it parks for a short while only.
   *
   * @return whether there is something new
   */
  private boolean park(int worker, AtomicInteger news, int seen) {
    int helper = worker - 1;
    boolean isShared = false;
    parked.set(helper, 1);
    while (!isShared && news.get() == seen && !isClosed) {
      isShared = !shared.isEmpty();
      if (isShared) {
        LockSupport.parkNanos(this, LOOK_NANOS);
      } else {
        LockSupport.park(this);
      }
      forgetInterrupt();
      parked.set(helper, 1);
    }
    parked.set(helper, 0);
    return !isShared;
  }

  /** Ends the threads; owners finish their work alone. Idempotent. */
  @Override
  public void close() {
    isClosed = true;
    for (Thread thread : threads) {
      LockSupport.unpark(thread);
    }
  }
}
