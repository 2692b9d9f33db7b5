package dev.tutti.cli.tune;

import dev.tutti.base.text.Sentence;
import dev.tutti.cli.host.HostUse;
import dev.tutti.cli.options.Durations;
import dev.tutti.cli.terminal.ProgressLine;
import dev.tutti.cli.terminal.Terminal;
import dev.tutti.cli.terminal.Text;
import dev.tutti.engine.kernel.Kernels;
import dev.tutti.host.Context;
import dev.tutti.host.Group;
import dev.tutti.host.pool.Choice;
import dev.tutti.plan.work.Work;
import dev.tutti.plugin.Algorithm;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.Operation;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.TuttiException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** Measures cells one after another within a time budget, and shows the progress. */
final class Sweep {

  /** The default time for all cells together. */
  static final Duration USUAL = Duration.ofMinutes(3);

  private static final Duration KERNEL_WARM_UP = Duration.ofSeconds(10);
  private static final Duration MAX_WARM_UP = Duration.ofSeconds(3);
  private static final int WARM_UP_PART = 50;
  private static final int PERCENT = 100;
  private static final int WARM_UP_CELLS = 3;
  private static final double MILLIS_PER_SECOND = 1e3;

  private final Terminal terminal;
  private final HostUse host;
  private final Duration budget;

  /** The measurement of one cell. */
  interface Measurement<R> {

    /** One result for each state of the machine; none if nothing could be measured. */
    List<R> of(SweepPoint cell, Choice choice, Duration share);
  }

  /** Makes a sweep with a time budget for all cells. */
  Sweep(Terminal terminal, HostUse host, Duration budget) {
    this.terminal = terminal;
    this.host = host;
    this.budget = budget;
  }

  /** The operations that have an algorithm. */
  static List<Operation> operations(Context context) {
    return context.planPool().algorithms().stream()
        .map(each -> each.operation())
        .distinct()
        .toList();
  }

  /** Makes the JVM compile the kernels that are measured. */
  static void warmKernels() {
    Kernels.warm(SweepOptions.TYPE, ReduceOp.SUM, KERNEL_WARM_UP);
  }

  /**
   * Measures each cell, as far as the time allows.
   *
   * @param report gets each result as soon as it is known
   * @throws TuttiException if no cell was measured: with {@link ErrorCode#INVALID_ARGUMENT} if the
   *     time was too short, with {@link ErrorCode#UNSUPPORTED} if no algorithm supports them
   */
  <R> void run(List<SweepPoint> cells, Measurement<R> measurement, Consumer<R> report) {
    if (budget.compareTo(Comparison.FIRST_WARM_UP) < 0) {
      throw refusal(least(1, Comparison.FIRST_WARM_UP));
    }
    Duration least = least(cells);
    if (budget.compareTo(least) < 0) {
      terminal
          .err()
          .println(
              "tutti: " + tooShort(least(cells.size(), least)) + "; some will not be measured");
    }
    int measured = 0;
    boolean isTimeLeft = true;
    long end = System.nanoTime() + budget.toNanos();
    try (ProgressLine progress = new ProgressLine(terminal, true)) {
      progress.show("warming up");
      warmUp(cells, measurement);
      for (int i = 0; i < cells.size(); i++) {
        long left = end - System.nanoTime();
        isTimeLeft = left > 0;
        if (!isTimeLeft) {
          break;
        }
        progress.show(i, cells.size(), cells.get(i).toString());
        Duration share = Duration.ofNanos(left / (cells.size() - i));
        List<R> found = measure(cells.get(i), measurement, share);
        found.forEach(report);
        measured += found.isEmpty() ? 0 : 1;
      }
    }
    if (measured == 0) {
      throw isTimeLeft
          ? nothing(cells.size())
          : refusal("none of " + Text.count(cells.size(), "request") + " was measured");
    }
    if (measured < cells.size()) {
      terminal.err().println(unfinished(measured, cells.size()));
    }
  }

  /**
   * Runs measurements that do not count, because times include the JIT compiler until all code is
   * compiled.
   */
  private <R> void warmUp(List<SweepPoint> cells, Measurement<R> measurement) {
    warmKernels();
    long longest = Math.min(MAX_WARM_UP.toNanos(), budget.toNanos() / WARM_UP_PART);
    long end = System.nanoTime() + longest;
    try (Work work = Work.begin("warming up", PERCENT)) {
      do {
        for (SweepPoint cell : cells.subList(0, Math.min(WARM_UP_CELLS, cells.size()))) {
          List<R> _ = measure(cell, measurement, Duration.ZERO);
          work.reach((int) (PERCENT - PERCENT * (end - System.nanoTime()) / longest));
        }
      } while (System.nanoTime() - end < 0);
    }
  }

  private <R> List<R> measure(SweepPoint cell, Measurement<R> measurement, Duration share) {
    Choice choice;
    try (Group group = host.createGroup(cell.topology())) {
      choice = cell.spec().request(group).explain();
    }
    return choice.isPossible() ? measurement.of(cell, choice, share) : List.of();
  }

  private static TuttiException nothing(int cells) {
    return new TuttiException(
        ErrorCode.UNSUPPORTED,
        "no algorithm could be measured for %s; name other operations, or other plugins with"
            + " --plugins",
        Text.count(cells, "request"));
  }

  /** The time of all cells, if every algorithm only runs for its first warm-up. */
  private Duration least(List<SweepPoint> cells) {
    Map<Operation, Long> algorithms =
        host.context().planPool().algorithms().stream()
            .collect(Collectors.groupingBy(Algorithm::operation, Collectors.counting()));
    return Comparison.FIRST_WARM_UP.multipliedBy(
        cells.stream()
            .mapToLong(cell -> algorithms.getOrDefault(cell.name().operation(), 0L))
            .sum());
  }

  private static String least(int cells, Duration time) {
    return Sentence.of(
        "%s would take about %s s or more",
        Text.count(cells, "request"), Text.number(time.toMillis() / MILLIS_PER_SECOND));
  }

  private TuttiException refusal(String why) {
    return new TuttiException(ErrorCode.INVALID_ARGUMENT, "%s; give a longer one", tooShort(why));
  }

  private String tooShort(String why) {
    return Sentence.of("--budget %s is too short: %s", Durations.seconds(budget), why);
  }

  private String unfinished(int measured, int cells) {
    return Sentence.of(
        "tutti: %d of %d requests were measured; the others have no algorithm, or --budget %s was"
            + " too short for them",
        measured, cells, Durations.seconds(budget));
  }
}
