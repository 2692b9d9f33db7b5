package dev.tutti.plugins.direct;

import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.Support;
import dev.tutti.sdk.topology.CommPlane;

/** Limits the number of ranks, because a full mesh has p² links. */
final class MeshSize {

  private static final int MAX_RANKS = 512;

  private MeshSize() {}

  static Support supports(CommInfo comm) {
    int ranks = comm.rankSize();
    return Support.when(
        ranks <= MAX_RANKS,
        "takes up to %d ranks, for a full mesh has p² links. Actual: %d"
            .formatted(MAX_RANKS, ranks));
  }

  /** The same for algorithms whose ranks load each other's memory. */
  static Support supportsLoads(CommInfo comm) {
    Protocol protocol = comm.protocol(CommPlane.COMBINED);
    return Support.when(
            protocol == Protocol.DIRECT,
            "needs direct links, to load from peers. Actual: " + protocol.label())
        .and(supports(comm));
  }
}
