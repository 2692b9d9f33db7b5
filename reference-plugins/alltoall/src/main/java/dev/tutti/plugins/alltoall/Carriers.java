package dev.tutti.plugins.alltoall;

import dev.tutti.sdk.topology.Topology;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The rank that carries each block out of a node. Blocks for a rank with local index i in any node
 * go through the rank with local index i modulo the size of the own node. In nodes of equal sizes,
 * that is the counterpart of the destination. In a small node, a rank carries for several ranks of
 * a large one.
 *
 * @param topology where the ranks are
 */
record Carriers(Topology topology) {

  /** The first rank of a node. */
  int start(int node) {
    return IntStream.range(0, node).map(topology::nodeSize).sum();
  }

  /** The size of a rank's node. */
  int nodeSize(int rank) {
    return topology.nodeSize(topology.nodeOf(rank));
  }

  /** The ranks for which a rank carries, including itself, ascending. */
  List<Integer> destinations(int carrier) {
    int size = nodeSize(carrier);
    int local = topology.localIndex(carrier);
    return IntStream.range(0, topology.rankSize())
        .filter(rank -> topology.localIndex(rank) % size == local)
        .boxed()
        .toList();
  }

  /** The rank of a node that carries for a destination. */
  int carrier(int node, int destination) {
    return start(node) + topology.localIndex(destination) % topology.nodeSize(node);
  }

  /**
   * The number of destinations in the same node that come before this one at the carrier of another
   * node.
   */
  int turn(int node, int destination) {
    return topology.localIndex(destination) / topology.nodeSize(node);
  }

  /** The blocks that a carrier gets from the other ranks of its node. */
  long gathered(int carrier) {
    return (nodeSize(carrier) - 1L) * destinations(carrier).size();
  }

  /** The blocks of the longest message that a rank sends. */
  long longest(int rank) {
    int first = rank - topology.localIndex(rank);
    int inside =
        IntStream.range(first, first + nodeSize(rank))
            .filter(peer -> peer != rank)
            .map(peer -> destinations(peer).size())
            .max()
            .orElse(0);
    boolean leaves = topology.nodeCount() > 1 && destinations(rank).size() > 1;
    return Math.max(inside, leaves ? nodeSize(rank) : 0);
  }

  /** Whether all nodes have the same size. */
  boolean isEven() {
    return IntStream.range(0, topology.nodeCount()).map(topology::nodeSize).distinct().count() == 1;
  }
}
