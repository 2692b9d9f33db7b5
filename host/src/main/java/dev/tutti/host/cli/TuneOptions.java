package dev.tutti.host.cli;

import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.Operation;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.topology.Topology;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What is measured for the choice of algorithms, and for how long. */
final class TuneOptions {

  /** What is measured with; other types and reductions rarely change which one is the fastest. */
  static final DataType TYPE = DataType.FLOAT32;

  private static final List<Integer> DEFAULT_RANKS = List.of(2, 4);
  private static final long[] DEFAULT_SIZES = {
    8, 64, 512, 4 << 10, 32 << 10, 256 << 10, 2 << 20, 16 << 20, 64 << 20
  };

  @Parameters(
      paramLabel = "<operation>",
      arity = "0..*",
      description = "What to measure. Default: every operation that a plugin has.")
  private List<String> operations = new ArrayList<>();

  @Option(
      names = {"-n", "--ranks"},
      paramLabel = "<n>",
      split = ",",
      description = "Numbers of ranks. Default: 2,4.")
  private List<Integer> ranks = new ArrayList<>();

  @Option(
      names = "--sizes",
      paramLabel = "<size>",
      split = ",",
      converter = Sizes.Converter.class,
      description = "Bytes of the full vector of one rank. Default: powers of 8 from 8 to 64M.")
  private List<Long> sizes = new ArrayList<>();

  @Option(
      names = "--place",
      paramLabel = "<place>",
      description = "out, in or both (default): whether input and output are one memory.")
  private Place place = Place.BOTH;

  @Option(
      names = "--budget",
      paramLabel = "<time>",
      description = "The time for all measurements together: 90s, 10m. Default: 3m.")
  private Duration budget = Duration.ofMinutes(3);

  @Option(
      names = "--all",
      description =
          "Measures every algorithm, also those that would take more than four times as long as the"
              + " fastest by their plans.")
  private boolean isAll;

  Duration budget() {
    return budget;
  }

  boolean isAll() {
    return isAll;
  }

  /** Everything that is to be measured, in the order in which it is. */
  List<TuneCell> cells(List<Operation> known) {
    List<TuneCell> cells = new ArrayList<>();
    for (int rankSize : ranks.isEmpty() ? DEFAULT_RANKS : ranks) {
      Topology topology = GroupOptions.flat(rankSize);
      for (OperationName name : names(known)) {
        for (boolean isInPlace : name.canBeInPlace() ? place.forms() : List.of(false)) {
          for (long count : counts(name, rankSize)) {
            cells.add(new TuneCell(name, topology, count, isInPlace));
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

  /** Sizes that are not whole blocks are rounded down, and each is measured once. */
  private List<Long> counts(OperationName name, int rankSize) {
    if (!name.hasData()) {
      return List.of(0L);
    }
    List<Long> bytes = new ArrayList<>(sizes);
    if (bytes.isEmpty()) {
      for (long size : DEFAULT_SIZES) {
        bytes.add(size);
      }
    }
    for (long size : bytes) {
      if (size < 1) {
        throw new TuttiException(
            ErrorCode.INVALID_ARGUMENT, "--sizes must be 1 or more. Actual: %d", size);
      }
    }
    return bytes.stream()
        .map(size -> SizeOptions.rounded(name, TYPE, rankSize, size))
        .distinct()
        .sorted()
        .toList();
  }
}
