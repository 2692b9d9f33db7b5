package dev.tutti.plugins.tree;

import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.topology.CommPlane;
import java.util.stream.IntStream;

/**
 * A rank's view of the chain of all ranks that starts at the root and continues in rank order.
 *
 * @param rank this rank
 * @param size the number of ranks
 * @param root the first rank
 */
record Chain(int rank, int size, int root) {

  static Chain of(CommInfo comm, int root) {
    return new Chain(comm.rank(), comm.rankSize(), root);
  }

  boolean isFirst() {
    return rank == root;
  }

  boolean isLast() {
    return next() == root;
  }

  /** The rank on the side of the root; only if this is not the first. */
  int previous() {
    return (rank + size - 1) % size;
  }

  /** The rank on the other side; only if this is not the last. */
  int next() {
    return (rank + 1) % size;
  }

  Chain at(int otherRank) {
    return new Chain(otherRank, size, root);
  }

  /** The links to the neighbours that this rank has. */
  OpCommTransport links(CommInfo comm, TransportMemType input, TransportMemType output) {
    int[] peers =
        IntStream.concat(
                isFirst() ? IntStream.empty() : IntStream.of(previous()),
                isLast() ? IntStream.empty() : IntStream.of(next()))
            .toArray();
    return OpCommTransport.pairs(comm, CommPlane.COMBINED, input, output, peers);
  }
}
