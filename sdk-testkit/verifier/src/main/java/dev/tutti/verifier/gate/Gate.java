package dev.tutti.verifier.gate;

import java.util.concurrent.Callable;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The only way to call code of plugins. A gate runs each call on a separate thread, under limits.
 * It copies everything that the code throws on that thread, under the same limits. Thread-safe.
 *
 * <p>The gate interrupts a call that breaks a limit, and the {@linkplain StopPoint stop points} of
 * the plugin throw until the call is over. Code without stop points cannot be stopped: an endless
 * loop inside the JDK, or classes that were not woven. Its thread stays behind as a daemon that
 * uses a core and memory until the process ends. The gate also measures and stops the threads that
 * a call starts.
 */
public final class Gate {

  /** The processor time that the threads of a call may use to end. */
  private static final long GRACE_NANOS = 200_000_000;

  /** The wall time that ending may take, even on a busy machine. */
  private static final long GRACE_WALL_NANOS = 10_000_000_000L;

  private static final long IDLE_MILLIS = 500;
  private static final long FIRST_POLL_NANOS = 1_000_000;
  private static final long LAST_POLL_NANOS = 16_000_000;

  /** The time that a caller of short calls spins before it parks; about the cost of a wakeup. */
  private static final long LOOK_NANOS = 30_000;

  private final GateLimits limits;
  private final CallMeter meter;
  private final HeapMeter heap = HeapMeter.create();
  private final AtomicInteger started = new AtomicInteger();
  private final ThreadPoolExecutor pool;

  /** Whether a caller spins first, because calls are usually short. */
  private final boolean looksFirst;

  /**
   * A gate that starts a new thread for every call, so that plugin code leaves no thread-locals
   * behind.
   */
  public static Gate of(GateLimits limits) {
    return new Gate(limits, CallMeter.create(), 0);
  }

  /**
   * A gate for many short calls. It reuses the threads of calls that stayed within their limits.
   */
  public static Gate reusingThreads(GateLimits limits) {
    return new Gate(limits, CallMeter.create(), IDLE_MILLIS);
  }

  Gate(GateLimits limits, CallMeter meter, long idleMillis) {
    this.limits = limits;
    this.looksFirst = idleMillis > 0 && Runtime.getRuntime().availableProcessors() > 1;
    this.meter = meter;
    this.pool =
        new ThreadPoolExecutor(
            0,
            Integer.MAX_VALUE,
            idleMillis,
            TimeUnit.MILLISECONDS,
            new SynchronousQueue<>(),
            this::thread);
  }

  /** A thread in a new group; all threads that it starts will belong to this group. */
  private Thread thread(Runnable task) {
    String name = "tutti-planning-" + started.incrementAndGet();
    return Thread.ofPlatform()
        .daemon()
        .group(new CallGroup(name))
        .name(name)
        .uncaughtExceptionHandler((thread, end) -> {})
        .unstarted(task);
  }

  /** Whether the call that this thread works for must end; false for a thread of no call. */
  public static boolean isEnding() {
    GateCall<?> call = CallGroup.callOf(Thread.currentThread());
    return call != null && call.isEnding();
  }

  /** The limits. */
  public GateLimits limits() {
    return limits;
  }

  /**
   * Runs code of a plugin, and waits until it ends or breaks a limit.
   *
   * @param body the code; it must not return an object whose methods run code of the plugin. It may
   *     run for ever after the gate gives up on it, so it must not change anything that others use
   * @throws InterruptedException if the waiting thread is interrupted; this also stops the call
   */
  public <T> Outcome<T> run(Callable<@Nullable T> body) throws InterruptedException {
    GateCall<T> call = start(body);
    try {
      return finish(call);
    } catch (InterruptedException e) {
      Outcome<T> _ = call.stop(Breach.INTERRUPTED, 0, 0);
      throw e;
    }
  }

  /**
   * Runs code of a plugin as {@link #run} does, but ignores interrupts of the caller. Its
   * interrupted flag is kept.
   */
  public <T> Outcome<T> runUninterrupted(Callable<@Nullable T> body) {
    GateCall<T> call = start(body);
    boolean wasInterrupted = false;
    try {
      while (true) {
        try {
          return finish(call);
        } catch (InterruptedException e) {
          wasInterrupted = true;
        }
      }
    } finally {
      if (wasInterrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private <T> GateCall<T> start(Callable<@Nullable T> body) {
    StopPoint.forgetEnded();
    GateCall<T> call = new GateCall<>(body, meter, heap);
    pool.execute(call);
    return call;
  }

  private <T> Outcome<T> finish(GateCall<T> call) throws InterruptedException {
    long poll = FIRST_POLL_NANOS;
    if (looksFirst && call.isOverWithin(LOOK_NANOS)) {
      return call.outcome();
    }
    while (!call.await(poll)) {
      poll = Math.min(2 * poll, LAST_POLL_NANOS);
      Breach breach = breachOf(call);
      if (breach != null) {
        return call.stop(breach, GRACE_NANOS, GRACE_WALL_NANOS);
      }
    }
    return call.outcome();
  }

  private @Nullable Breach breachOf(GateCall<?> call) {
    try {
      return call.breachOf(limits);
    } catch (OutOfMemoryError | LinkageError e) {
      // A class that is needed for the first time cannot be initialised if memory is short.
      return Breach.FULL_HEAP;
    }
  }
}
