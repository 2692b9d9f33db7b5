package dev.tutti.simulator;

/** The numbered resources that flows share, and the cost of a byte on each of them. Immutable. */
final class SharedResources {

  private final Network network;
  private final double[] portCost;
  private final double nodeCost;
  private final double[] podCost;
  private final int nodeBase;
  private final int podBase;
  private final boolean hasUplinks;
  private final boolean hasCore;
  private final int count;

  SharedResources(Network network) {
    this.network = network;
    this.portCost = new double[NetworkModel.LEVELS.size()];
    for (int level = 0; level < portCost.length; level++) {
      portCost[level] = network.terms(level).beta().value();
    }
    this.nodeCost = network.model().nodeUplink().map(PerByte::value).orElse(0.0);
    this.podCost = podCosts(network);
    this.hasUplinks = network.model().nodeUplink().isPresent();
    this.hasCore = network.model().oversubscription() > 0;
    this.nodeBase = 2 * network.portCount();
    this.podBase = nodeBase + 2 * network.topology().nodeCount();
    this.count = podBase + 2 * podCost.length;
  }

  /**
   * The cost of a byte on each pod's uplink, whose bandwidth is the sum below it over the ratio.
   */
  private static double[] podCosts(Network network) {
    double ratio = network.model().oversubscription();
    double[] costs = new double[network.topology().podCount()];
    if (ratio == 0) {
      return costs;
    }
    boolean hasUplinks = network.model().nodeUplink().isPresent();
    int[] members = new int[costs.length];
    for (int rank = 0; rank < network.rankSize(); rank++) {
      boolean isFirst = rank == 0 || network.node(rank) != network.node(rank - 1);
      members[network.pod(rank)] += !hasUplinks || isFirst ? 1 : 0;
    }
    PerByte below = network.model().nodeUplink().orElse(network.terms(1).beta());
    for (int pod = 0; pod < costs.length; pod++) {
      costs[pod] = ratio * below.value() / members[pod];
    }
    return costs;
  }

  /** The number of resources. */
  int count() {
    return count;
  }

  /** The number of resources between two ranks whose messages cross a level. */
  int ends(int level) {
    return 2 + (level > 0 && hasUplinks ? 2 : 0) + (level > 1 && hasCore ? 2 : 0);
  }

  /**
   * One of the resources between two ranks.
   *
   * @param end 0 to {@link #ends} - 1; even at the source, odd at the destination
   */
  int resource(int end, int src, int dst, int level) {
    int rank = (end & 1) == 0 ? src : dst;
    if (end < 2) {
      return end * network.portCount() + network.port(rank, level);
    }
    return end < 4 && hasUplinks
        ? nodeBase + (end & 1) * network.topology().nodeCount() + network.node(rank)
        : podBase + (end & 1) * podCost.length + network.pod(rank);
  }

  /** The picoseconds that a byte takes on one of these resources. */
  double cost(int end, int src, int dst, int level) {
    if (end < 2) {
      return portCost[level];
    }
    return end < 4 && hasUplinks ? nodeCost : podCost[network.pod((end & 1) == 0 ? src : dst)];
  }

  /** Adds the resources between two ranks to a flow. */
  void lay(Flows flows, int flow, int src, int dst, int level) {
    for (int end = 0; end < ends(level); end++) {
      double cost = cost(end, src, dst, level);
      if (cost > 0) {
        flows.cross(flow, resource(end, src, dst, level), cost);
      }
    }
  }

  /** The picoseconds that a byte takes between two ranks if there is no other traffic. */
  double pace(int src, int dst, int level) {
    double slowest = 0;
    for (int end = 0; end < ends(level); end++) {
      slowest = Math.max(slowest, cost(end, src, dst, level));
    }
    return slowest;
  }
}
