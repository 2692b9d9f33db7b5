package dev.tutti.verifier.planning;

import dev.tutti.plan.GroupPlan;
import dev.tutti.plan.GroupRecording;
import dev.tutti.plan.RankPlan;
import dev.tutti.sdk.TuttiException;
import dev.tutti.verifier.rule.Finding;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Records each rank once more and compares its plan with the first one. Compares rank by rank, so
 * that memory never holds a second plan of the group.
 */
final class Purity {

  private final GroupPlan plan;
  private final GroupRecording recording;

  /** Counts down, so that a plan that depends on earlier questions differs. */
  private final AtomicInteger nextRank;

  /** The second plan of the lowest rank whose two plans differ. */
  private final AtomicReference<@Nullable RankPlan> differing = new AtomicReference<>();

  private Purity(GroupPlan plan, GroupRecording recording) {
    this.plan = plan;
    this.recording = recording;
    this.nextRank = new AtomicInteger(plan.rankSize());
  }

  /**
   * The difference, if there is one.
   *
   * @param workers the number of threads, the calling one included
   */
  static Optional<Finding> difference(GroupPlan plan, GroupRecording recording, int workers)
      throws Throwable {
    Purity purity = new Purity(plan, recording);
    List<FutureTask<?>> others = new ArrayList<>();
    for (int worker = 1; worker < Math.min(workers, plan.rankSize()); worker++) {
      FutureTask<?> task = new FutureTask<>(purity::compare, null);
      others.add(task);
      // The thread belongs to the planning thread's group, so the guard sees it.
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
    return purity.finding();
  }

  private void compare() {
    IntFunction<RankPlan> recorder = recording.again();
    for (int rank = nextRank.decrementAndGet(); rank >= 0; rank = nextRank.decrementAndGet()) {
      if (Thread.currentThread().isInterrupted()) {
        return;
      }
      RankPlan second = recorder.apply(rank);
      if (!second.equals(plan.rank(rank))) {
        differing.accumulateAndGet(second, Purity::lower);
      }
    }
  }

  private static @Nullable RankPlan lower(@Nullable RankPlan known, @Nullable RankPlan other) {
    return known == null || (other != null && other.rank() < known.rank()) ? other : known;
  }

  private Optional<Finding> finding() {
    RankPlan second = differing.get();
    if (second == null) {
      return Optional.empty();
    }
    int rank = second.rank();
    return Optional.of(
        new PlanDifference(plan.rank(rank), second, withLines(rank), "when asked again").finding());
  }

  /** Two more plans of a rank: an executor that alternates between two plans then shows both. */
  private List<RankPlan> withLines(int rank) {
    try {
      return List.of(recording.rank(rank, true), recording.rank(rank, true));
    } catch (TuttiException e) {
      // The executor answers differently each time, so there are no lines.
      return List.of();
    }
  }
}
