package dev.tutti.host.job;

import dev.tutti.base.idle.Clock;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The thread of a job: runs slow steps one by one until the process leaves. Thread-safe. */
final class JobThread {

  private final ExecutorService work = Executors.newSingleThreadExecutor(this::newThread);
  private volatile @Nullable Thread thread;

  private Thread newThread(Runnable steps) {
    Thread made = Thread.ofPlatform().daemon().name("tutti-job").unstarted(steps);
    thread = made;
    return made;
  }

  /** Whether this is the current thread. */
  boolean isCurrent() {
    return Thread.currentThread().equals(thread);
  }

  /**
   * Runs a step after all earlier ones; returns whether it will run, which it does not after the
   * end.
   */
  boolean isDoing(Runnable step) {
    try {
      work.execute(step);
      return true;
    } catch (RejectedExecutionException e) {
      return false;
    }
  }

  /** Accepts no more steps after a last one, which is not run if there was a last one already. */
  void end(Runnable last) {
    boolean ignored = isDoing(last);
    work.shutdown();
  }

  /** Waits until the remaining steps have run, so that other processes get their messages. */
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
