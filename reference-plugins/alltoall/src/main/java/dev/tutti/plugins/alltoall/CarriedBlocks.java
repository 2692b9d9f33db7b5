package dev.tutti.plugins.alltoall;

import dev.tutti.plugins.template.Exchange;
import dev.tutti.plugins.template.Incoming;
import dev.tutti.plugins.template.Outgoing;
import dev.tutti.plugins.template.Runs;
import dev.tutti.sdk.ExecMem;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.resource.SubCommInfo;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.topology.CommPlane;
import dev.tutti.sdk.topology.Topology;
import java.util.ArrayList;
import java.util.List;

/**
 * One rank's part of a hierarchical all-to-all in one round. Its scratch memory holds the blocks
 * from the other ranks of its node, one rank after another, and behind them the message that it
 * currently sends.
 *
 * @param carriers the carrier of each block
 * @param rank this rank
 * @param mem the memory of the round
 * @param blockSize bytes of a block
 */
record CarriedBlocks(Carriers carriers, int rank, ExecMem mem, long blockSize) {

  private Topology topology() {
    return carriers.topology();
  }

  private Stream stream() {
    return mem.resources().mainStream();
  }

  /** The offset at which a rank packs its messages. */
  private long messageOffset(int sender) {
    return carriers.gathered(sender) * blockSize;
  }

  /** Packs blocks one after another into this rank's message. */
  private DeviceMem pack(List<DeviceMem> blocks) {
    DeviceMem message = mem.scratch().slice(messageOffset(rank), blocks.size() * blockSize);
    Runs.copy(stream(), message, blocks);
    return message;
  }

  /** The offset of the blocks that a carrier got from a rank of its node. */
  private long gatheredOffset(int source, int carrier) {
    long slot = source < carrier ? localIndex(source) : localIndex(source) - 1L;
    return slot * carriers.destinations(carrier).size() * blockSize;
  }

  private int localIndex(int member) {
    return topology().localIndex(member);
  }

  /** Gives each rank of the node the blocks it carries, and gets those that this rank carries. */
  void gather() {
    SubCommInfo node = mem.resources().subComm(CommPlane.LEVEL0);
    int size = node.localRankSize();
    for (int distance = 1; distance < size; distance++) {
      int to = (node.localRank() + distance) % size;
      int from = (node.localRank() + size - distance) % size;
      int carrier = node.userRank(to);
      int source = node.userRank(from);
      DeviceMem sent = pack(carriers.destinations(carrier).stream().map(mem::inputBlock).toList());
      DeviceMem received =
          mem.scratch()
              .slice(gatheredOffset(source, rank), carriers.destinations(rank).size() * blockSize);
      Exchange.of(
              new Outgoing(
                  node.link(to), sent, TransportMemType.SCRATCH, gatheredOffset(rank, carrier)),
              new Incoming(
                  node.link(from), received, TransportMemType.SCRATCH, messageOffset(source)))
          .run(stream());
    }
  }

  /** The blocks of all ranks of this node for a destination of this carrier. */
  private List<DeviceMem> blocksFor(int destination) {
    int index = carriers.destinations(rank).indexOf(destination);
    int first = rank - localIndex(rank);
    List<DeviceMem> blocks = new ArrayList<>();
    for (int source = first; source < first + carriers.nodeSize(rank); source++) {
      blocks.add(
          source == rank
              ? mem.inputBlock(destination)
              : mem.scratch().slice(gatheredOffset(source, rank) + index * blockSize, blockSize));
    }
    return blocks;
  }

  /** The output blocks of all ranks of a node, which are contiguous. */
  private DeviceMem outputOf(int node) {
    long size = topology().nodeSize(node) * blockSize;
    return mem.output().slice(carriers.start(node) * blockSize, size);
  }

  /**
   * Sends the blocks to all destinations of this carrier, node by node, and receives this rank's
   * blocks.
   */
  void deliver() {
    int nodes = topology().nodeCount();
    int here = topology().nodeOf(rank);
    Runs.copy(stream(), outputOf(here), blocksFor(rank));
    for (int distance = 1; distance < nodes; distance++) {
      int to = (here + distance) % nodes;
      int from = (here + nodes - distance) % nodes;
      List<Integer> destinations =
          carriers.destinations(rank).stream().filter(d -> topology().nodeOf(d) == to).toList();
      int turns = Math.max(destinations.size(), carriers.turn(from, rank) + 1);
      for (int turn = 0; turn < turns; turn++) {
        exchange(
            turn < destinations.size() ? List.of(destinations.get(turn)) : List.of(),
            turn == carriers.turn(from, rank) ? List.of(from) : List.of());
      }
    }
  }

  /**
   * Sends one message or none, and receives one or none.
   *
   * @param to the destination of this node's blocks; empty if there is none
   * @param from the node with blocks for this rank; empty if there is none
   */
  private void exchange(List<Integer> to, List<Integer> from) {
    SubCommInfo all = mem.resources().subComm(CommPlane.LEVEL1, 1);
    DeviceMem place = outputOf(topology().nodeOf(rank));
    List<Outgoing> sent = new ArrayList<>();
    for (int destination : to) {
      sent.add(new Outgoing(all.link(destination), pack(blocksFor(destination)), place));
    }
    List<Incoming> received = new ArrayList<>();
    for (int node : from) {
      int carrier = carriers.carrier(node, rank);
      received.add(
          new Incoming(
              all.link(carrier), outputOf(node), TransportMemType.SCRATCH, messageOffset(carrier)));
    }
    new Exchange(sent, received).run(stream());
  }
}
