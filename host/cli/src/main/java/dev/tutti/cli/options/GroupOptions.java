package dev.tutti.cli.options;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.topology.Topology;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How many ranks there are, and where. */
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
      description = "Ranks of each node, + between nodes, | between pods: 8+4 or '4+4|4+3'.")
  private @Nullable Topology topology;

  public Topology topology() {
    if (topology == null) {
      return flat(ranks == null ? DEFAULT_RANKS : ranks);
    }
    if (ranks != null && ranks != topology.rankSize()) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT,
          "--ranks and --topology contradict each other: --ranks is %d, --topology %s has %d ranks;"
              + " give one of them",
          ranks,
          topology,
          topology.rankSize());
    }
    return topology;
  }

  /** All ranks on one node. */
  public static Topology flat(int ranks) {
    if (ranks < 1) {
      throw new TuttiException(
          ErrorCode.INVALID_RANK, "--ranks must be 1 or more. Actual: %d", ranks);
    }
    return Topology.flat(ranks);
  }
}
