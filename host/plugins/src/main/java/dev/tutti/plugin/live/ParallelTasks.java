package dev.tutti.plugin.live;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntUnaryOperator;

/** Runs numbered tasks on several threads, and fails as a single thread would. */
final class ParallelTasks {

  private final int pieces;
  private final IntUnaryOperator work;
  private final AtomicInteger next = new AtomicInteger();
  private final AtomicInteger sum = new AtomicInteger();

  /** The first task that is known to fail; earlier tasks are still run. */
  private int failed;

  private RuntimeException failure = new IllegalStateException("nothing has failed");

  private ParallelTasks(int pieces, IntUnaryOperator work) {
    this.pieces = pieces;
    this.work = work;
    this.failed = pieces;
  }

  /**
   * Adds up the results of the tasks.
   *
   * @param pieces the number of tasks, numbered from 0
   * @param threads the number of tasks that run at once
   * @param work runs one task; called on any thread
   * @throws RuntimeException the exception of the failed task with the lowest number, even if
   *     another one fails earlier
   */
  static int sum(int pieces, int threads, IntUnaryOperator work) {
    ParallelTasks all = new ParallelTasks(pieces, work);
    if (threads == 1) {
      all.run();
    } else {
      all.runOn(Math.min(threads, Math.max(1, pieces)));
    }
    return all.result();
  }

  private void runOn(int threads) {
    try (ExecutorService pool =
        Executors.newFixedThreadPool(
            threads, Thread.ofPlatform().daemon().name("tutti-admission-", 0).factory())) {
      List<Future<?>> started = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        started.add(pool.submit(this::run));
      }
      started.forEach(ParallelTasks::await);
    }
  }

  private static void await(Future<?> worker) {
    try {
      worker.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while a plugin was checked", e);
    } catch (ExecutionException e) {
      throw new IllegalStateException("a plugin could not be checked", e);
    }
  }

  private void run() {
    for (int piece = next.getAndIncrement(); piece < end(); piece = next.getAndIncrement()) {
      try {
        sum.addAndGet(work.applyAsInt(piece));
      } catch (RuntimeException e) {
        fail(piece, e);
      }
    }
  }

  private synchronized int end() {
    return failed;
  }

  private synchronized void fail(int piece, RuntimeException thrown) {
    if (piece < failed) {
      failed = piece;
      failure = thrown;
    }
  }

  private synchronized int result() {
    if (failed < pieces) {
      throw failure;
    }
    return sum.get();
  }
}
