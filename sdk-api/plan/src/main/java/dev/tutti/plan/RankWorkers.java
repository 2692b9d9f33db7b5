package dev.tutti.plan;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs a task for every rank, on the calling thread and on helper threads that end before the call
 * does.
 *
 * <p>Threads take ranks in ascending order, and always finish a rank that they took. So when a rank
 * fails, all ranks below it are finished or in progress. The failure of the lowest rank is the one
 * that a single thread would have met first.
 */
final class RankWorkers {

  private final int ranks;
  private final Supplier<IntConsumer> tasks;
  private final AtomicInteger nextRank = new AtomicInteger();
  private volatile boolean isStopped;
  private volatile boolean isInterrupted;

  // Guarded by this.
  private int failedRank = Integer.MAX_VALUE;
  private @Nullable Throwable failure;

  private RankWorkers(int ranks, Supplier<IntConsumer> tasks) {
    this.ranks = ranks;
    this.tasks = tasks;
  }

  /**
   * Runs a task for ranks 0 to {@code ranks - 1}.
   *
   * @param workers the number of threads, the calling one included
   * @param tasks makes the task of one thread; called on that thread
   * @throws TuttiException with {@link ErrorCode#INVALID_STATE} if the calling thread is
   *     interrupted; its flag stays set
   */
  static void forEachRank(int ranks, int workers, Supplier<IntConsumer> tasks) {
    new RankWorkers(ranks, tasks).run(Math.min(workers, ranks) - 1);
  }

  private void run(int helpers) {
    Thread caller = Thread.currentThread();
    List<Thread> threads = new ArrayList<>();
    try {
      for (int helper = 1; helper <= helpers; helper++) {
        threads.add(
            Thread.ofPlatform()
                .daemon()
                .name("tutti-recorder-" + helper)
                .inheritInheritableThreadLocals(false)
                .start(() -> work(null)));
      }
      work(caller);
    } finally {
      if (threads.size() < helpers) {
        // A thread could not be started, so the others can stop.
        isStopped = true;
      }
      threads.forEach(this::join);
      if (isInterrupted) {
        caller.interrupt();
      }
    }
    report();
  }

  /** Takes ranks until there are no more, or until one has failed. */
  private void work(@Nullable Thread caller) {
    IntConsumer task = null;
    while (!isStopped) {
      if (caller != null && caller.isInterrupted()) {
        isInterrupted = true;
        isStopped = true;
        return;
      }
      int rank = nextRank.getAndIncrement();
      if (rank >= ranks) {
        return;
      }
      try {
        if (task == null) {
          task = tasks.get();
        }
        task.accept(rank);
      } catch (RuntimeException | Error e) {
        failed(rank, e);
      }
    }
  }

  private synchronized void failed(int rank, Throwable e) {
    isStopped = true;
    if (rank < failedRank) {
      failedRank = rank;
      failure = e;
    }
  }

  /** Waits for the end of a helper. An interrupt makes the helper stop after its current rank. */
  private void join(Thread helper) {
    while (true) {
      try {
        helper.join();
        return;
      } catch (InterruptedException e) {
        isInterrupted = true;
        isStopped = true;
        helper.interrupt();
      }
    }
  }

  private synchronized void report() {
    if (isInterrupted) {
      throw new TuttiException(
          ErrorCode.INVALID_STATE,
          "the thread that recorded the plans of %d ranks was interrupted; record them again if"
              + " they are still wanted",
          ranks);
    }
    if (failure instanceof Error error) {
      throw error;
    }
    if (failure instanceof RuntimeException exception) {
      throw exception;
    }
  }
}
