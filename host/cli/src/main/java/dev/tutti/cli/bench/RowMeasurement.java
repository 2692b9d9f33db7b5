package dev.tutti.cli.bench;

import dev.tutti.base.idle.Waiting;
import dev.tutti.base.text.Sentence;
import dev.tutti.cli.measure.Distribution;
import dev.tutti.cli.measure.HopProbe;
import dev.tutti.cli.options.Callers;
import dev.tutti.cli.options.MeasurementOptions;
import dev.tutti.cli.options.OperationSpec;
import dev.tutti.cli.request.CheckedRequest;
import dev.tutti.cli.request.JobRank;
import dev.tutti.cli.request.Together;
import dev.tutti.cli.terminal.ProgressLine;
import dev.tutti.host.Context;
import dev.tutti.host.Group;
import dev.tutti.plan.work.Work;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Measures operations, one for each row of a table. It verifies, warms up, times, and verifies
 * again on other data, so that the timed operation is known to be correct. Not thread-safe.
 */
final class RowMeasurement {

  /**
   * The longest warm-up of a kernel; up to 64 processes compile at once and share the processors.
   */
  private static final Duration KERNEL_WARM_UP = Duration.ofMinutes(2);

  private static final int WARM_UP_BUDGETS = 4;

  /**
   * The longest warm-up of ranks, in budgets: code that waits for other threads has more branches
   * to compile, some of them rarely taken.
   */
  private static final int RANK_WARM_UP_BUDGETS = 20;

  /** A row is verified, warmed up, measured, and verified again. */
  private static final int STEPS = 4;

  private final Context context;
  private final Callers callers;
  private final MeasurementOptions options;
  private final Pace pace;
  private final Verification verification;
  private final int rows;
  private final ProgressLine progress;
  private final Stopwatch stopwatch = new Stopwatch();
  private int done;
  private long wrong;

  /**
   * The verification of results.
   *
   * @param after the number of verifications after timing, besides the one before it
   * @param counts whether wrong elements are counted; if not, they end the measurement
   */
  record Verification(int after, boolean counts) {

    long once(Together together, Runnable run, long seed) {
      if (counts) {
        return together.countWrong(run, seed);
      }
      together.verify(run, seed);
      return 0;
    }
  }

  /**
   * Makes measurements of rows.
   *
   * @param rows the number of rows, to show the progress
   */
  RowMeasurement(
      Context context,
      Callers callers,
      MeasurementOptions options,
      Pace pace,
      Verification verification,
      int rows,
      ProgressLine progress) {
    this.context = context;
    this.callers = callers(context, callers);
    this.options = options;
    this.pace = pace;
    this.verification = verification;
    this.rows = rows;
    this.progress = progress;
  }

  /** The requested callers; ranks in processes always make their own calls. */
  static Callers callers(Context context, Callers asked) {
    return JobRank.isOf(context) ? Callers.PROCESSES : asked;
  }

  /** The row of one operation; empty in processes that do not report. */
  Optional<Measurement> row(Group group, OperationSpec spec) {
    try (CheckedRequest measured = new CheckedRequest(context, group, spec, options);
        Together together = Together.of(context, measured);
        Work row = Work.begin("", STEPS)) {
      show(measured, spec);
      OperationTimer timer = timer(measured, together);
      long wrongBefore =
          step(row, "verifying", () -> verification.once(together, timer::runOnce, options.seed()));
      try (Work _ = Work.begin("warming up", 1)) {
        measured.warmKernel(KERNEL_WARM_UP);
        pace.warmUp(timer, warmUpBudgets());
        row.step();
      }
      Measurement times = step(row, "measuring", () -> measure(measured, timer));
      long wrongAfter = step(row, "verifying", () -> verifyAgain(together, timer));
      long wrongOfRow = Math.max(wrongBefore, wrongAfter);
      wrong += wrongOfRow;
      done++;
      return together.isReporter() ? Optional.of(times.withWrong(wrongOfRow)) : Optional.empty();
    }
  }

  /**
   * The wrong elements of all ranks, summed over the rows so far, even if another process reports
   * them.
   */
  long wrong() {
    return wrong;
  }

  /** Does one step of a row. */
  private static <T> T step(Work row, String what, Supplier<T> work) {
    try (Work _ = Work.begin(what, 1)) {
      T result = work.get();
      row.step();
      return result;
    }
  }

  /** The most wrong elements of the runs after the measurement. */
  private long verifyAgain(Together together, OperationTimer timer) {
    long most = 0;
    for (int i = 1; i <= verification.after(); i++) {
      most = Math.max(most, verification.once(together, timer::runOnce, options.seed() + i));
    }
    return most;
  }

  private void show(CheckedRequest measured, OperationSpec spec) {
    progress.show(
        done,
        rows,
        Sentence.of(
            "%d ranks, %s, %s",
            measured.ranks(), spec.call(), spec.isInPlace() ? "in place" : "out of place"));
  }

  private OperationTimer timer(CheckedRequest measured, Together together) {
    JobRank job = together.job();
    Waiting waiting = Waiting.system();
    if (job != null) {
      return new JobTimer(job, measured, waiting);
    }
    return callers == Callers.ONE
        ? OperationTimer.ofRequest(measured.request(), stopwatch)
        : new RankTimer(measured.group(), measured.blockingCalls(), callers, waiting);
  }

  /**
   * The budgets for the warm-up; if processes share a processor, each also waits for the others'
   * compilers.
   */
  private int warmUpBudgets() {
    return switch (callers) {
      case ONE -> WARM_UP_BUDGETS;
      case THREADS, VIRTUAL -> RANK_WARM_UP_BUDGETS;
      case PROCESSES -> RANK_WARM_UP_BUDGETS * JobTimer.perProcessor(context.rte().ranks());
    };
  }

  private Measurement measure(CheckedRequest measured, OperationTimer timer) {
    boolean isJob = callers == Callers.PROCESSES;
    double before = isJob ? Double.NaN : HopProbe.nanos();
    Distribution micros = pace.micros(timer, measured.buffers());
    double b2b = pace.backToBackMicros(timer);
    if (!isJob) {
      // Build the request of the whole group: it has the plan that the ranks have run, and so shows
      // their algorithm.
      measured.request();
    }
    HopRange hop = isJob ? HopRange.UNKNOWN : new HopRange(before, HopProbe.nanos());
    return new Measurement(measured, callers, micros, b2b, hop, 0);
  }
}
