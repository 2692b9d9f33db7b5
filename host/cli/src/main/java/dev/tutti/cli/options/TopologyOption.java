package dev.tutti.cli.options;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.topology.Topology;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option for the places of the ranks of one group. */
public final class TopologyOption {

  /** The number of ranks if no option gives it. */
  public static final int USUAL_RANKS = 4;

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

  /**
   * The requested topology, by default with all ranks on one node.
   *
   * @param option the option of the number of ranks
   * @param ranks the requested number of ranks; null for that of the topology, or the usual one
   * @param ofJob the number of ranks of this process's job; 0 if there is none
   * @throws TuttiException with {@link ErrorCode#INVALID_ARGUMENT} if the topology has another
   *     number of ranks
   */
  public Topology topology(String option, @Nullable Integer ranks, int ofJob) {
    int usual = ofJob == 0 ? USUAL_RANKS : ofJob;
    if (shape == null) {
      return GroupOptions.flat(ranks == null ? usual : ranks);
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
}
