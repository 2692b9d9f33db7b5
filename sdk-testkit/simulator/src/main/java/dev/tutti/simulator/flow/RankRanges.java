package dev.tutti.simulator.flow;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Function;

/** Runs a task for ranges of ranks in parallel, on the calling thread and on others. */
public final class RankRanges {

  /** Fewer ranks take less time than the start of another thread. */
  private static final int MIN_RANKS = 64;

  private RankRanges() {}

  /** Handles ranks {@code from} to {@code to - 1}. */
  @FunctionalInterface
  public interface Body<T> {
    T run(int from, int to);
  }

  /**
   * Cuts the ranks into ranges.
   *
   * @param workers the number of threads, the calling one included
   * @return the result of each range, in rank order
   * @throws RuntimeException that a body threw; that of the lowest range if several did
   */
  public static <T> List<T> map(int ranks, int workers, Body<T> body) {
    int ranges = Math.clamp(ranks / MIN_RANKS, 1, Math.max(1, workers));
    if (ranges == 1) {
      return Collections.singletonList(body.run(0, ranks));
    }
    List<Callable<T>> calls = new ArrayList<>();
    for (int range = 0; range < ranges; range++) {
      int from = (int) ((long) ranks * range / ranges);
      int to = (int) ((long) ranks * (range + 1) / ranges);
      calls.add(() -> body.run(from, to));
    }
    return run(calls);
  }

  /**
   * Runs a task with the result of each range, each on its own thread.
   *
   * @return the results, in their order
   * @throws RuntimeException that a body threw; the first one if several did
   */
  public static <S, T> List<T> map(List<S> ranges, Function<? super S, ? extends T> body) {
    List<Callable<T>> calls = new ArrayList<>();
    for (S range : ranges) {
      calls.add(() -> body.apply(range));
    }
    return run(calls);
  }

  private static <T> List<T> run(List<Callable<T>> calls) {
    List<FutureTask<T>> tasks = calls.stream().map(FutureTask::new).toList();
    for (FutureTask<T> task : tasks.subList(1, tasks.size())) {
      Thread.ofPlatform().daemon().name("tutti-verifier").start(task);
    }
    tasks.getFirst().run();
    return tasks.stream().map(RankRanges::get).toList();
  }

  private static <T> T get(FutureTask<T> task) {
    try {
      return task.get();
    } catch (ExecutionException e) {
      switch (e.getCause()) {
        case RuntimeException cause -> throw cause;
        case Error cause -> throw cause;
        case null, default -> throw new IllegalStateException(e.getCause());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while a plan was judged", e);
    }
  }
}
