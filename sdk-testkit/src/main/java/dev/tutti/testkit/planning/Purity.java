package dev.tutti.testkit.planning;

import dev.tutti.sdk.plan.GroupPlan;
import dev.tutti.sdk.plan.GroupRecording;
import dev.tutti.sdk.plan.RankPlan;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;

/**
 * Records all ranks once more and compares them one by one with what they planned before, so that a
 * second plan of the group is never held.
 */
final class Purity {

  private final GroupPlan plan;
  private final GroupRecording again;

  /** Counts down: a plan that depends on what was asked before comes out in another order. */
  private final AtomicInteger nextRank;

  private final AtomicInteger differing = new AtomicInteger(Integer.MAX_VALUE);

  private Purity(GroupPlan plan, GroupRecording again) {
    this.plan = plan;
    this.again = again;
    this.nextRank = new AtomicInteger(plan.rankSize());
  }

  /**
   * What is not the same, or nothing.
   *
   * @param workers the number of threads, the calling one included
   */
  static String difference(GroupPlan plan, GroupRecording again, int workers) throws Throwable {
    Purity purity = new Purity(plan, again);
    List<FutureTask<?>> others = new ArrayList<>();
    for (int worker = 1; worker < Math.min(workers, plan.rankSize()); worker++) {
      FutureTask<?> task = new FutureTask<>(purity::compare, null);
      others.add(task);
      // In the planning thread's group, where the guard sees it.
      Thread.ofPlatform().daemon().name("tutti-planning-again-" + worker).start(task);
    }
    purity.compare();
    for (FutureTask<?> other : others) {
      try {
        other.get();
      } catch (ExecutionException e) {
        throw e.getCause() == null ? e : e.getCause();
      }
    }
    return purity.text();
  }

  private void compare() {
    IntFunction<RankPlan> recorder = again.recorder();
    for (int rank = nextRank.decrementAndGet(); rank >= 0; rank = nextRank.decrementAndGet()) {
      if (Thread.currentThread().isInterrupted()) {
        return;
      }
      int current = rank;
      if (!recorder.apply(rank).equals(plan.rank(rank))) {
        differing.accumulateAndGet(current, Math::min);
      }
    }
  }

  private String text() {
    int rank = differing.get();
    if (rank == Integer.MAX_VALUE) {
      return "";
    }
    RankPlan before = plan.rank(rank);
    int after = again.rank(rank, false).actionCount();
    return ("rank %d plans differently when asked again: %d actions, and %d when asked once more;"
            + " executors must be pure functions of their arguments")
        .formatted(rank, before.actionCount(), after);
  }
}
