package dev.tutti.cli.bench;

import dev.tutti.cli.measure.Distribution;
import dev.tutti.cli.request.RankBuffers;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The numbers of runs in a measurement of an operation.
 *
 * @param budget the time for the runs
 * @param warmUps runs before the timed ones; null for runs until times no longer fall
 * @param runs timed runs; null for as many as fit in the budget
 * @param isBackToBack whether operations are also measured back to back
 * @param isTouched whether inputs are rewritten and outputs read between operations, untimed
 */
record Pace(
    Duration budget,
    @Nullable Integer warmUps,
    @Nullable Integer runs,
    boolean isBackToBack,
    boolean isTouched) {

  private static final int B2B_PART = 2;

  /**
   * Runs until times no longer fall, or the requested number of times.
   *
   * @param budgets the longest time, in budgets
   */
  void warmUp(OperationTimer timer, int budgets) {
    if (warmUps == null) {
      timer.warmUp(budget.multipliedBy(budgets));
    } else if (warmUps > 0) {
      timer.micros(warmUps);
    }
  }

  /** The microseconds of operations, each timed separately. */
  Distribution micros(OperationTimer timer, RankBuffers buffers) {
    return runs == null ? timer.micros(budget, isTouched ? buffers : null) : timer.micros(runs);
  }

  /**
   * The median microseconds of one operation among many back to back; NaN if it is not requested.
   */
  double backToBackMicros(OperationTimer timer) {
    return isBackToBack ? timer.backToBackMicros(budget.dividedBy(B2B_PART)) : Double.NaN;
  }
}
