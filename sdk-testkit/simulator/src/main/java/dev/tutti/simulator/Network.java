package dev.tutti.simulator;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.topology.Topology;

/** A model for a number of ranks: the resources between two ranks, as numbers. Immutable. */
final class Network {

  private final NetworkModel model;
  private final Topology topology;
  private final int[] node;
  private final int[] pod;
  private final LinkTerms[] terms;

  /** Which of a rank's ports serves each level. */
  private final int[] port;

  private final int portsPerRank;

  Network(NetworkModel model, int rankSize) {
    this.model = model;
    this.topology = model.topology().orElseGet(() -> Topology.flat(rankSize));
    if (topology.rankSize() != rankSize) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT,
          "the plan has %d ranks, but the network %s has %d; give both the same ranks",
          rankSize,
          topology,
          topology.rankSize());
    }
    this.node = new int[rankSize];
    this.pod = new int[rankSize];
    for (int rank = 0; rank < rankSize; rank++) {
      node[rank] = topology.nodeOf(rank);
      pod[rank] = topology.podOf(rank);
    }
    this.terms = new LinkTerms[NetworkModel.LEVELS.size()];
    this.port = new int[terms.length];
    for (int level = 0; level < terms.length; level++) {
      terms[level] = model.terms(level);
      if (level > 0) {
        port[level] = port[level - 1] + (terms[level].hasOwnPort() ? 1 : 0);
      }
    }
    this.portsPerRank = port[terms.length - 1] + 1;
  }

  NetworkModel model() {
    return model;
  }

  Topology topology() {
    return topology;
  }

  int rankSize() {
    return node.length;
  }

  /** The level that a message between two different ranks crosses: 0, 1 or 2. */
  int level(int rank, int other) {
    if (node[rank] == node[other]) {
      return 0;
    }
    return pod[rank] == pod[other] ? 1 : 2;
  }

  LinkTerms terms(int level) {
    return terms[level];
  }

  int node(int rank) {
    return node[rank];
  }

  int pod(int rank) {
    return pod[rank];
  }

  /** The number of ports of all ranks, for one direction. */
  int portCount() {
    return node.length * portsPerRank;
  }

  /** The port of a rank for a level. */
  int port(int rank, int level) {
    return rank * portsPerRank + port[level];
  }

  int portsPerRank() {
    return portsPerRank;
  }

  /** Which of a rank's ports serves a level, from 0. */
  int portOfLevel(int level) {
    return port[level];
  }

  /** Whether messages between any two ranks cross a level. */
  boolean isUsed(int level) {
    return switch (level) {
      case 0 -> topology.nodeCount() < topology.rankSize();
      case 1 -> topology.podCount() < topology.nodeCount();
      default -> topology.podCount() > 1;
    };
  }
}
