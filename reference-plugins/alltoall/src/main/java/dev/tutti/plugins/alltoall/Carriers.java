package dev.tutti.plugins.alltoall;

import dev.tutti.sdk.topology.Topology;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Who carries which blocks out of a node: those for the rank with local index i in any node go to
 * rank i modulo the node's size. In nodes of one size this is the counterpart of the destination; a
 * rank of a small node carries for several ranks of a large one.
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

  /** The ranks for which a rank carries, itself among them, ascending. */
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

  /** How many destinations in one node come before this one at its carrier in another. */
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

  /** Whether all nodes are of one size. */
  boolean isEven() {
    return IntStream.range(0, topology.nodeCount()).map(topology::nodeSize).distinct().count() == 1;
  }
}
