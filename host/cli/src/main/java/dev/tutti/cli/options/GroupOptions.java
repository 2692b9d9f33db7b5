package dev.tutti.cli.options;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.topology.Topology;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options for the number of ranks and their topology. */
public final class GroupOptions {

  @Option(
      names = {"-n", "--ranks"},
      paramLabel = "<n>",
      description = "The number of ranks. Default: 4.")
  private @Nullable Integer ranks;

  @Mixin private final TopologyOption places = new TopologyOption();

  /** Whether the topology of the machine was requested. */
  public boolean isFound() {
    return places.isFound();
  }

  /** Whether a topology gives the number of ranks. */
  public boolean isShaped() {
    return places.isShaped();
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
    return places.topology("--ranks", ranks, ofJob);
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
