package dev.tutti.cli.options;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.topology.Topology;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options for the number of ranks and their topology. */
public final class GroupOptions {

  private static final int DEFAULT_RANKS = 4;

  @Option(
      names = {"-n", "--ranks"},
      paramLabel = "<n>",
      description = "The number of ranks. Default: 4.")
  private @Nullable Integer ranks;

  @Option(
      names = "--topology",
      paramLabel = "<shape>",
      converter = GroupShape.Converter.class,
      description =
          "The ranks of each node, with + between nodes and | between pods: 8+4 or '4+4|4+3';"
              + " found: a node for each memory domain or last-level cache of this machine.")
  private @Nullable GroupShape shape;

  /** Whether the topology of the machine was requested. */
  public boolean isFound() {
    return shape != null && shape.isFound();
  }

  /** Whether a topology gives the number of ranks. */
  public boolean isShaped() {
    return shape != null && !shape.isFound();
  }

  /** The requested topology. */
  public Topology topology() {
    return topology(0);
  }

  /**
   * The requested topology.
   *
   * @param ofJob the number of ranks of this process's job; 0 if there is none
   */
  public Topology topology(int ofJob) {
    return topology(shape, "--ranks", ranks, ofJob);
  }

  /**
   * The topology of a shape and a number of ranks.
   *
   * @param shape the requested shape; null for one node
   * @param option the option of the number of ranks
   * @param ranks the requested number of ranks; null for that of the shape, or the usual one
   * @param ofJob the number of ranks of this process's job; 0 if there is none
   * @throws TuttiException with {@link ErrorCode#INVALID_ARGUMENT} if the shape has another number
   *     of ranks
   */
  public static Topology topology(
      @Nullable GroupShape shape, String option, @Nullable Integer ranks, int ofJob) {
    int usual = ofJob == 0 ? DEFAULT_RANKS : ofJob;
    if (shape == null) {
      return flat(ranks == null ? usual : ranks);
    }
    if (shape.isFound()) {
      return GroupShape.found(ranks == null ? usual : ranks);
    }
    Topology topology = shape.topology();
    if (ranks != null && ranks != topology.rankSize()) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT,
          "%s and --topology contradict each other: %s is %d, --topology %s has %d ranks; give one"
              + " of them",
          option,
          option,
          ranks,
          topology,
          topology.rankSize());
    }
    return topology;
  }

  /** The topology with all ranks on one node. */
  public static Topology flat(int ranks) {
    if (ranks < 1) {
      throw new TuttiException(
          ErrorCode.INVALID_RANK, "--ranks must be 1 or more. Actual: %d", ranks);
    }
    return Topology.flat(ranks);
  }
}
