package dev.tutti.sdk;

import dev.tutti.sdk.topology.CommPlane;
import dev.tutti.sdk.topology.Topology;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

/**
 * The group as one rank sees it. Everything but {@link #rank()} is the same on all ranks.
 *
 * @param rank this rank, 0 to {@code rankSize - 1}
 * @param topology where the ranks are
 * @param mode how operations reach the caller's memory
 * @param protocol how bytes cross the links of planes that {@code planeProtocols} does not name
 * @param determinism the class of reproducibility that the caller requires
 * @param cclBufferSize the size in bytes of each of the group's two CCL staging buffers, at least
 *     256; slices of OP_BASE operations are at most this large
 * @param planeProtocols the protocols of planes that do not use {@code protocol}
 */
public record CommInfo(
    int rank,
    Topology topology,
    WorkflowMode mode,
    Protocol protocol,
    Determinism determinism,
    long cclBufferSize,
    Map<CommPlane, Protocol> planeProtocols) {

  /** The smallest size of a CCL buffer in bytes. */
  public static final long MIN_CCL_BUFFER_SIZE = 256;

  /** The default size of a CCL buffer in bytes. */
  public static final long DEFAULT_CCL_BUFFER_SIZE = 4L << 20;

  /** Checks the ranges. */
  public CommInfo {
    Arguments.require(topology, "topology");
    Arguments.require(mode, "mode");
    Arguments.require(protocol, "protocol");
    Arguments.require(determinism, "determinism");
    Arguments.require(planeProtocols, "planeProtocols");
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
    planeProtocols =
        planeProtocols.isEmpty()
            ? Map.of()
            : Collections.unmodifiableMap(new EnumMap<>(planeProtocols));
  }

  /** A group with one protocol for all planes. */
  public CommInfo(
      int rank,
      Topology topology,
      WorkflowMode mode,
      Protocol protocol,
      Determinism determinism,
      long cclBufferSize) {
    this(rank, topology, mode, protocol, determinism, cclBufferSize, Map.of());
  }

  /**
   * A group with the default buffer size, registered memory and direct access, without a required
   * determinism.
   */
  public static CommInfo of(int rank, Topology topology) {
    Arguments.require(topology, "topology");
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

  /** How bytes cross the links of a plane. */
  public Protocol protocol(CommPlane plane) {
    Arguments.require(plane, "plane");
    return planeProtocols.getOrDefault(plane, protocol);
  }

  /** The same group seen from another rank. */
  public CommInfo withRank(int newRank) {
    return new CommInfo(
        newRank, topology, mode, protocol, determinism, cclBufferSize, planeProtocols);
  }

  /** The same group in another workflow mode. */
  public CommInfo withMode(WorkflowMode newMode) {
    Arguments.require(newMode, "newMode");
    return new CommInfo(
        rank, topology, newMode, protocol, determinism, cclBufferSize, planeProtocols);
  }

  /** The same group over another protocol. */
  public CommInfo withProtocol(Protocol newProtocol) {
    Arguments.require(newProtocol, "newProtocol");
    return new CommInfo(
        rank, topology, mode, newProtocol, determinism, cclBufferSize, planeProtocols);
  }

  /** The same group with another protocol for one plane. */
  public CommInfo withProtocol(CommPlane plane, Protocol newProtocol) {
    Arguments.require(plane, "plane");
    Arguments.require(newProtocol, "newProtocol");
    Map<CommPlane, Protocol> protocols = new EnumMap<>(CommPlane.class);
    protocols.putAll(planeProtocols);
    protocols.put(plane, newProtocol);
    return new CommInfo(rank, topology, mode, protocol, determinism, cclBufferSize, protocols);
  }

  /** The same group with another required determinism. */
  public CommInfo withDeterminism(Determinism newDeterminism) {
    Arguments.require(newDeterminism, "newDeterminism");
    return new CommInfo(
        rank, topology, mode, protocol, newDeterminism, cclBufferSize, planeProtocols);
  }

  /** The same group with CCL buffers of another size in bytes. */
  public CommInfo withCclBufferSize(long newSize) {
    return new CommInfo(rank, topology, mode, protocol, determinism, newSize, planeProtocols);
  }
}
