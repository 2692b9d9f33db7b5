package dev.tutti.cli.options;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.topology.Topology;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options for a series of measurements: groups, sizes and placements. */
public final class SeriesOptions {

  private static final List<Integer> DEFAULT_RANKS = List.of(2, 4);

  @Option(
      names = {"-n", "--ranks"},
      paramLabel = "<n>",
      split = ",",
      description = "Numbers of ranks. Default: 2,4.")
  private List<Integer> ranks = new ArrayList<>();

  @Option(
      names = "--topology",
      paramLabel = "<shape>",
      converter = GroupShape.Converter.class,
      description =
          "Instead of --ranks, the ranks of each node, with + between nodes and | between pods:"
              + " 8+4; found: for each of --ranks, a node for each memory domain or last-level"
              + " cache of this machine.")
  private @Nullable GroupShape shape;

  @Option(
      names = {"--sizes", "--bytes"},
      paramLabel = "<size>",
      split = ",",
      converter = Sizes.Converter.class,
      description = "Bytes of the full vector of one rank. Default: powers of 8 from 8 to 64M.")
  private List<Long> sizes = new ArrayList<>();

  @Option(
      names = {"-b", "--min"},
      paramLabel = "<size>",
      converter = Sizes.Converter.class,
      description = "Instead of --sizes, the smallest size. Default: 8.")
  private @Nullable Long min;

  @Option(
      names = {"-e", "--max"},
      paramLabel = "<size>",
      converter = Sizes.Converter.class,
      description = "The largest size, which is always measured. Default: 64M.")
  private @Nullable Long max;

  @Option(
      names = {"-f", "--factor"},
      paramLabel = "<n>",
      description = "The factor from one size to the next. Default: 8.")
  private @Nullable Integer factor;

  @Option(
      names = "--place",
      paramLabel = "<place>",
      description = "out, in or both (default): whether input and output are one memory.")
  private Placement place = Placement.BOTH;

  /** Whether a topology gives the number of ranks. */
  public boolean isShaped() {
    return shape != null && !shape.isFound();
  }

  /**
   * The groups to measure.
   *
   * @param ofJob the number of ranks of this process's job; 0 if there is none
   */
  public List<Topology> groups(int ofJob) {
    if (shape != null && !shape.isFound()) {
      require(ranks.isEmpty(), "--ranks and --topology exclude each other");
      return List.of(shape.topology());
    }
    List<Integer> usual = ofJob > 0 ? List.of(ofJob) : DEFAULT_RANKS;
    return (ranks.isEmpty() ? usual : ranks)
        .stream().map(shape == null ? GroupOptions::flat : GroupShape::found).toList();
  }

  /** The sizes in bytes. */
  public List<Long> sizes() {
    if (!sizes.isEmpty()) {
      for (long size : sizes) {
        require(size > 0, "--sizes must be 1 or more. Actual: " + size);
      }
      require(
          min == null && max == null && factor == null,
          "--sizes excludes --min, --max and --factor");
      return List.copyOf(sizes);
    }
    long least = min == null ? 8 : min;
    long most = max == null ? 64 << 20 : max;
    int step = factor == null ? 8 : factor;
    require(
        0 < least && least <= most,
        "--min and --max must satisfy 0 < min <= max. Actual: min=" + least + ", max=" + most);
    require(step > 1, "--factor must be 2 or more. Actual: " + step);
    List<Long> all = new ArrayList<>();
    for (long size = least; size < most; size = size > most / step ? most : size * step) {
      all.add(size);
    }
    all.add(most);
    return all;
  }

  private static void require(boolean isFulfilled, String message) {
    if (!isFulfilled) {
      throw new TuttiException(ErrorCode.INVALID_ARGUMENT, message);
    }
  }

  public Placement place() {
    return place;
  }
}
