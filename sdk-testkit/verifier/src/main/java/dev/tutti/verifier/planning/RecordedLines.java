package dev.tutti.verifier.planning;

import dev.tutti.plan.GroupPlan;
import dev.tutti.plan.GroupRecording;
import dev.tutti.plan.RankPlan;
import dev.tutti.simulator.flow.Sources;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * Source lines of a plan that was recorded without them. Records a rank again when one of its lines
 * is needed. Thread-safe.
 */
final class RecordedLines implements Sources {

  private static final String UNKNOWN = "?";

  private final GroupPlan plan;
  private final GroupRecording recording;
  private final PlanningGuard guard;
  private final ConcurrentMap<Integer, Optional<RankPlan>> byRank = new ConcurrentHashMap<>();

  /**
   * Whether a recording has failed. After that no more are made, because an executor that loops
   * would use up the limit for every rank.
   */
  private volatile boolean hasFailed;

  RecordedLines(GroupPlan plan, GroupRecording recording, PlanningGuard guard) {
    this.plan = plan;
    this.recording = recording;
    this.guard = guard;
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // Equal plans of two ranks may have different lines.
  public String line(RankPlan asked, int action) {
    if (asked.hasSources() || asked != plan.rank(asked.rank())) {
      return asked.source(action);
    }
    return byRank
        .computeIfAbsent(asked.rank(), this::recordAgain)
        .filter(again -> again.actionCount() == asked.actionCount())
        .map(again -> again.source(action))
        .orElse(UNKNOWN);
  }

  /**
   * Records a rank with lines. If the executor fails or never ends this time, there are no lines
   * and no further finding.
   */
  private Optional<RankPlan> recordAgain(int rank) {
    if (hasFailed) {
      return Optional.empty();
    }
    PlanningGuard.Job<RankPlan> job =
        new PlanningGuard.Job<>() {
          @Override
          public @Nullable RankPlan run() {
            return recording.rank(rank, true);
          }

          @Override
          public String doing() {
            return "orchestrate of rank " + rank;
          }
        };
    return Optional.ofNullable(guard.run(job, ignored -> hasFailed = true));
  }
}
