package dev.tutti.cli.bench;

import dev.tutti.cli.options.CallSelection;
import dev.tutti.cli.options.Callers;
import dev.tutti.cli.options.Durations;
import dev.tutti.cli.options.Labels;
import dev.tutti.cli.options.OperationName;
import dev.tutti.cli.options.Placement;
import dev.tutti.cli.options.SeriesOptions;
import dev.tutti.cli.options.SizeOptions;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.topology.Topology;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options for the series of a benchmark. */
final class BenchOptions {

  @Mixin private final SeriesOptions series = new SeriesOptions();

  @Option(
      names = "--seconds",
      paramLabel = "<time>",
      converter = Durations.OfMeasurement.class,
      description = "The time for the runs of one row. Default: 0.3s.")
  private Duration budget = Duration.ofMillis(300);

  @Option(
      names = "--no-b2b",
      negatable = true,
      description = "Whether operations are also measured back to back. Default: yes.")
  private boolean isBackToBack = true;

  @Option(
      names = "--callers",
      paramLabel = "<who>",
      completionCandidates = Labels.OfCallers.class,
      description =
          "one (default): one thread runs the whole group; threads: each rank has a thread, which"
              + " makes the rank's blocking calls; virtual: the same with virtual threads.")
  private Callers callers = Callers.ONE;

  Callers callers() {
    return callers;
  }

  Pace pace(boolean isTouched) {
    return new Pace(budget, null, null, isBackToBack, isTouched);
  }

  /** Whether a topology gives the number of ranks. */
  boolean isShaped() {
    return series.isShaped();
  }

  List<Topology> groups() {
    return series.groups(0);
  }

  /**
   * The counts to measure, for each group. {@code ofJob} is the number of ranks of this process's
   * job; 0 if there is none.
   */
  Map<Topology, List<Long>> series(OperationName name, DataType type, int ofJob) {
    Map<Topology, List<Long>> counts = new LinkedHashMap<>();
    for (Topology group : series.groups(ofJob)) {
      counts.put(group, counts(name, type, group.rankSize()));
    }
    return counts;
  }

  /** Whether the rows of one size are in place, out of place or both. */
  List<Boolean> places(OperationName name) {
    CallSelection.require(
        name.canBeInPlace() || series.place() != Placement.IN, "--place in", name);
    return name.canBeInPlace() ? series.place().forms() : List.of(false);
  }

  /** The counts to measure, each once. Sizes that are not whole blocks are rounded down. */
  List<Long> counts(OperationName name, DataType type, int rankSize) {
    if (!name.hasData()) {
      return List.of(0L);
    }
    return series.sizes().stream()
        .map(size -> SizeOptions.rounded(name, type, rankSize, size))
        .distinct()
        .toList();
  }
}
