package dev.tutti.verifier.gate;

import java.util.concurrent.Callable;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The only way to call code of plugins: on a thread of its own and under limits. Everything that
 * the code throws is copied on that thread, under the same limits. Thread-safe.
 *
 * <p>A call that breaks a limit is interrupted, and the {@linkplain StopPoint stop points} of its
 * plugin throw until it is over. Only code without stop points cannot be stopped: an endless loop
 * inside the JDK, or classes that were not woven. Its thread is left behind, as a daemon that uses
 * a core and memory until the process ends. Threads that a call starts are measured and stopped
 * with it.
 */
public final class Gate {

  /** How much processor time the threads of a call may use to end. */
  private static final long GRACE_NANOS = 200_000_000;

  /** How long that may take, however busy the machine is. */
  private static final long GRACE_WALL_NANOS = 10_000_000_000L;

  private static final long IDLE_MILLIS = 500;
  private static final long FIRST_POLL_NANOS = 1_000_000;
  private static final long LAST_POLL_NANOS = 16_000_000;

  /** How long a caller of short calls spins before it parks: about the cost of waking. */
  private static final long LOOK_NANOS = 30_000;

  private final GateLimits limits;
  private final CallMeter meter;
  private final HeapMeter heap = HeapMeter.create();
  private final AtomicInteger started = new AtomicInteger();
  private final ThreadPoolExecutor pool;

  /** Whether calls are so short that a caller need not park. */
  private final boolean looksFirst;

  /** A gate whose every call has a new thread, so that plugin code leaves no thread-locals. */
  public static Gate of(GateLimits limits) {
    return new Gate(limits, CallMeter.create(), 0);
  }

  /** A gate for many short calls, which reuses the threads of calls that kept to their limits. */
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

  /** A thread in a group of its own, which all threads that it starts will belong to. */
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
   * @param body must not return an object of the plugin whose methods run code of it; once it is
   *     given up it may go on for ever, so it must not change anything that others use
   * @throws InterruptedException if the waiting thread is interrupted; the call is stopped then
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

  /** The same for a caller that ignores interrupts meanwhile; the interrupted flag is kept. */
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
      // A class that is first needed now cannot be initialised if memory is short.
      return Breach.FULL_HEAP;
    }
  }
}
