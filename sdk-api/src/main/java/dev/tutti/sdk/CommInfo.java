package dev.tutti.sdk;

import dev.tutti.sdk.topology.Topology;

/**
 * The group as one rank sees it. Everything but {@link #rank()} is the same on all ranks.
 *
 * @param rank this rank, 0 to {@code rankSize - 1}
 * @param topology where the ranks are
 * @param mode how the caller's memory is reached
 * @param protocol how bytes cross the links
 * @param determinism the least reproducibility the caller demands
 * @param cclBufferSize the size in bytes of each of the group's two CCL staging buffers, at least
 *     256; slices of OP_BASE operations are at most this large
 */
public record CommInfo(
    int rank,
    Topology topology,
    WorkflowMode mode,
    Protocol protocol,
    Determinism determinism,
    long cclBufferSize) {

  /** The smallest size of a CCL buffer in bytes. */
  public static final long MIN_CCL_BUFFER_SIZE = 256;

  /** The size of a CCL buffer in bytes unless the group says otherwise. */
  public static final long DEFAULT_CCL_BUFFER_SIZE = 4L << 20;

  /** Checks the ranges. */
  public CommInfo {
    if (rank < 0 || rank >= topology.rankSize()) {
      throw new TuttiException(
          ErrorCode.INVALID_RANK,
          "rank must be 0 to %d. Actual: %d",
          topology.rankSize() - 1,
          rank);
    }
    if (cclBufferSize < MIN_CCL_BUFFER_SIZE) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT,
          "CCL buffer size must be at least %d bytes. Actual: %d",
          MIN_CCL_BUFFER_SIZE,
          cclBufferSize);
    }
  }

  /**
   * A group with the default buffer size and no demand for determinism, using registered memory and
   * direct access.
   */
  public static CommInfo of(int rank, Topology topology) {
    return new CommInfo(
        rank,
        topology,
        WorkflowMode.GRAPH,
        Protocol.DIRECT,
        Determinism.NONE,
        DEFAULT_CCL_BUFFER_SIZE);
  }

  /** The number of ranks of the group. */
  public int rankSize() {
    return topology.rankSize();
  }

  /** The same group seen from another rank. */
  public CommInfo withRank(int newRank) {
    return new CommInfo(newRank, topology, mode, protocol, determinism, cclBufferSize);
  }

  /** The same group in another workflow mode. */
  public CommInfo withMode(WorkflowMode newMode) {
    return new CommInfo(rank, topology, newMode, protocol, determinism, cclBufferSize);
  }

  /** The same group over another protocol. */
  public CommInfo withProtocol(Protocol newProtocol) {
    return new CommInfo(rank, topology, mode, newProtocol, determinism, cclBufferSize);
  }

  /** The same group with another demand for determinism. */
  public CommInfo withDeterminism(Determinism newDeterminism) {
    return new CommInfo(rank, topology, mode, protocol, newDeterminism, cclBufferSize);
  }

  /** The same group with CCL buffers of another size in bytes. */
  public CommInfo withCclBufferSize(long newSize) {
    return new CommInfo(rank, topology, mode, protocol, determinism, newSize);
  }
}
