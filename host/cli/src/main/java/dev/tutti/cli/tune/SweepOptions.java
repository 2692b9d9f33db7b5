package dev.tutti.cli.tune;

import dev.tutti.cli.options.Durations;
import dev.tutti.cli.options.Labels;
import dev.tutti.cli.options.OperationName;
import dev.tutti.cli.options.SeriesOptions;
import dev.tutti.cli.options.SizeOptions;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.Operation;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.topology.Topology;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The requests whose algorithms are measured, and the time for the measurements. */
final class SweepOptions {

  /**
   * The type of the measurements. With other types and reductions, the fastest algorithm is rarely
   * another one.
   */
  static final DataType TYPE = DataType.FLOAT32;

  @Parameters(
      paramLabel = "<operation>",
      completionCandidates = Labels.OfOperations.class,
      arity = "0..*",
      description = "What to measure. Default: every operation that a plugin has.")
  private List<String> operations = new ArrayList<>();

  @Mixin private final SeriesOptions series = new SeriesOptions();

  @Option(
      names = "--budget",
      paramLabel = "<time>",
      converter = Durations.OfMeasurement.class,
      description = "The time for all measurements together: 90s, 10m. Default: 3m.")
  private @Nullable Duration budget;

  /** The time for all measurements, or the default if none was given. */
  Duration budget(Duration usual) {
    return budget == null ? usual : budget;
  }

  /** Refuses groups on several nodes: a rules file has measurements of one node only. */
  void requireOneNode() {
    for (Topology topology : series.groups(0)) {
      if (topology.nodeCount() > 1) {
        throw new TuttiException(
            ErrorCode.INVALID_ARGUMENT,
            "a rules file has times of groups on one node only, and --topology %s has %d nodes;"
                + " add --dry-run to see the times, or use one node",
            topology,
            topology.nodeCount());
      }
    }
  }

  /** All cells to measure, in order. */
  List<SweepPoint> cells(List<Operation> known) {
    List<SweepPoint> cells = new ArrayList<>();
    for (Topology topology : series.groups(0)) {
      for (OperationName name : names(known)) {
        for (boolean isInPlace : name.canBeInPlace() ? series.place().forms() : List.of(false)) {
          for (long count : counts(name, topology.rankSize())) {
            cells.add(new SweepPoint(name, topology, count, isInPlace));
          }
        }
      }
    }
    return cells;
  }

  private List<OperationName> names(List<Operation> known) {
    if (!operations.isEmpty()) {
      return operations.stream().map(OperationName::of).distinct().toList();
    }
    return known.stream()
        .filter(each -> each != Operation.RECEIVE)
        .map(each -> new OperationName(each.label(), each))
        .toList();
  }

  /** The counts to measure, each once. Sizes that are not whole blocks are rounded down. */
  private List<Long> counts(OperationName name, int rankSize) {
    if (!name.hasData()) {
      return List.of(0L);
    }
    return series.sizes().stream()
        .map(size -> SizeOptions.rounded(name, TYPE, rankSize, size))
        .distinct()
        .sorted()
        .toList();
  }
}
