package dev.tutti.plugins.tree;

import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.Cost;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.SubCommInfo;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.topology.CommPlane;
import java.util.List;
import java.util.stream.IntStream;

/** A root with links to all other ranks, each of which has one link, to the root. */
final class Star {

  private Star() {}

  /** The links of one rank, over which only one kind of memory is accessed. */
  static OpCommTransport links(CommInfo comm, int root, TransportMemType accessed) {
    return comm.rank() == root
        ? OpCommTransport.mesh(comm, CommPlane.COMBINED, accessed, accessed)
        : OpCommTransport.pairs(comm, CommPlane.COMBINED, accessed, accessed, root);
  }

  /** Whether ranks read from each other, as they do over direct links. */
  static boolean isPulled(CommInfo comm) {
    return comm.protocol(CommPlane.COMBINED) == Protocol.DIRECT;
  }

  /** The ranks other than this one, in order. */
  static List<Integer> leaves(SubCommInfo comm) {
    return IntStream.range(0, comm.localRankSize())
        .filter(rank -> rank != comm.localRank())
        .boxed()
        .toList();
  }

  /** The root's links, in the order of ranks. */
  static List<Link> leafLinks(SubCommInfo comm) {
    return leaves(comm).stream().map(comm::link).toList();
  }

  /**
   * The cost if the root moves the blocks of all other ranks in turn.
   *
   * @param counts elements of the block of each rank
   * @param perRound the most elements of a block that one round moves
   */
  static Cost cost(List<Long> counts, int root, long perRound, DataType dataType) {
    double messages = 0;
    double elements = 0;
    for (int rank = 0; rank < counts.size(); rank++) {
      if (rank != root && counts.get(rank) > 0) {
        messages += Math.ceilDiv(counts.get(rank), perRound);
        elements += counts.get(rank);
      }
    }
    return new Cost(messages, elements * dataType.size(), 0);
  }
}
