package dev.tutti.plugins.alltoall;

import dev.tutti.plugins.template.LongestChain.Message;
import dev.tutti.plugins.template.Timetable;
import dev.tutti.sdk.Cost;
import dev.tutti.sdk.topology.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** What a hierarchical all-to-all costs in nodes of any sizes: messages meet at ports. */
final class CarriersTimetable {

  private final Carriers carriers;
  private final Topology topology;
  private final Timetable table;

  /** To whom each rank gives in each node. */
  private final List<Map<Integer, List<Integer>>> destinations;

  /** Of no rounds so far. */
  CarriersTimetable(Topology topology) {
    this.carriers = new Carriers(topology);
    this.topology = topology;
    this.table = new Timetable(topology.rankSize(), 1);
    this.destinations =
        IntStream.range(0, topology.rankSize())
            .mapToObj(carriers::destinations)
            .map(all -> all.stream().collect(Collectors.groupingBy(topology::nodeOf)))
            .toList();
  }

  /**
   * Adds a round.
   *
   * @param block the bytes of a block
   * @param pullsInNode whether links inside nodes are direct
   * @param pullsBetweenNodes whether links between nodes are direct
   */
  void add(long block, boolean pullsInNode, boolean pullsBetweenNodes) {
    int largest = 0;
    for (int node = 0; node < topology.nodeCount(); node++) {
      largest = Math.max(largest, topology.nodeSize(node));
    }
    for (int distance = 1; distance < largest && !table.isTooLong(); distance++) {
      table.exchange(0, gathered(distance, block), pullsInNode);
    }
    for (int distance = 1; distance < topology.nodeCount() && !table.isTooLong(); distance++) {
      List<Message> messages = delivered(distance, 0, block);
      for (int turn = 1; !messages.isEmpty(); turn++) {
        table.exchange(0, messages, pullsBetweenNodes);
        messages = delivered(distance, turn, block);
      }
    }
  }

  /** What a rank gives to one some places behind it in its node. */
  private List<Message> gathered(int distance, long block) {
    List<Message> messages = new ArrayList<>();
    for (int rank = 0; rank < topology.rankSize(); rank++) {
      int size = carriers.nodeSize(rank);
      if (distance < size) {
        int local = topology.localIndex(rank);
        int to = rank - local + (local + distance) % size;
        messages.add(new Message(rank, to, carriers.destinations(to).size() * block));
      }
    }
    return messages;
  }

  /** What a rank gives in one turn to a node some places behind its own. */
  private List<Message> delivered(int distance, int turn, long block) {
    List<Message> messages = new ArrayList<>();
    for (int rank = 0; rank < topology.rankSize(); rank++) {
      int to = (topology.nodeOf(rank) + distance) % topology.nodeCount();
      List<Integer> inNode = destinations.get(rank).getOrDefault(to, List.of());
      if (turn < inNode.size()) {
        long bytes = carriers.nodeSize(rank) * block;
        messages.add(new Message(rank, inNode.get(turn), bytes));
      }
    }
    return messages;
  }

  /** What all that was added costs; empty if it is too long. */
  Optional<Cost> cost() {
    return table.cost();
  }
}
