package dev.tutti.cli.options;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** The options for a series of measurements: numbers of ranks, sizes and placements. */
public final class SeriesOptions {

  private static final List<Integer> DEFAULT_RANKS = List.of(2, 4);

  @Option(
      names = {"-n", "--ranks"},
      paramLabel = "<n>",
      split = ",",
      description = "Numbers of ranks. Default: 2,4.")
  private List<Integer> ranks = new ArrayList<>();

  @Option(
      names = {"--sizes", "--bytes"},
      paramLabel = "<size>",
      split = ",",
      converter = Sizes.Converter.class,
      description = "Bytes of the full vector of one rank. Default: powers of 8 from 8 to 64M.")
  private List<Long> sizes = new ArrayList<>();

  @Option(
      names = "--place",
      paramLabel = "<place>",
      description = "out, in or both (default): whether input and output are one memory.")
  private Placement place = Placement.BOTH;

  /** Whether numbers of ranks were given. */
  public boolean areRanksGiven() {
    return !ranks.isEmpty();
  }

  public List<Integer> ranks() {
    return ranks.isEmpty() ? DEFAULT_RANKS : ranks;
  }

  /** The given sizes in bytes; empty if none were given. */
  public List<Long> sizes() {
    for (long size : sizes) {
      if (size < 1) {
        throw new TuttiException(
            ErrorCode.INVALID_ARGUMENT, "--sizes must be 1 or more. Actual: %d", size);
      }
    }
    return List.copyOf(sizes);
  }

  public Placement place() {
    return place;
  }
}
