package dev.tutti.host.job;

import dev.tutti.base.idle.Clock;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The thread of a job: does what takes time, one thing after another, until the process leaves.
 * Thread-safe.
 */
final class JobThread {

  private final ExecutorService work = Executors.newSingleThreadExecutor(this::newThread);
  private volatile @Nullable Thread thread;

  private Thread newThread(Runnable steps) {
    Thread made = Thread.ofPlatform().daemon().name("tutti-job").unstarted(steps);
    thread = made;
    return made;
  }

  /** Whether this is the calling thread. */
  boolean isCurrent() {
    return Thread.currentThread().equals(thread);
  }

  /** Does something after what came before; returns whether it will, because it has not ended. */
  boolean isDoing(Runnable step) {
    try {
      work.execute(step);
      return true;
    } catch (RejectedExecutionException e) {
      return false;
    }
  }

  /** Takes nothing new. */
  void end() {
    work.shutdown();
  }

  /** Lets it end what it has to do, that others may hear of it. */
  void await(Clock clock, long patienceNanos) {
    long end = clock.nanoTime() + patienceNanos;
    boolean wasInterrupted = Thread.interrupted();
    boolean hasEnded = false;
    while (!hasEnded && end - clock.nanoTime() > 0) {
      try {
        hasEnded = work.awaitTermination(end - clock.nanoTime(), TimeUnit.NANOSECONDS);
      } catch (InterruptedException e) {
        wasInterrupted = true;
      }
    }
    if (wasInterrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
