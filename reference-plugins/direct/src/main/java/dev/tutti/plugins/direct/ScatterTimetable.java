package dev.tutti.plugins.direct;

import dev.tutti.plugins.template.LongestChain.Message;
import dev.tutti.plugins.template.Timetable;
import dev.tutti.sdk.Cost;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** What a reduce or a reduce-scatter over a full mesh costs for blocks of different sizes. */
final class ScatterTimetable {

  private final int ranks;
  private final Timetable table;

  /** Of no rounds so far. */
  ScatterTimetable(int ranks) {
    this.ranks = ranks;
    this.table = new Timetable(ranks, 1);
  }

  /**
   * Adds a round over direct links: all load at once.
   *
   * @param blocks the bytes of each rank's block
   */
  void pull(List<Long> blocks) {
    table.barrier(0);
    load(blocks);
    table.barrier(0);
  }

  /**
   * Adds a round over direct links in which all load at once and write to one rank what they made.
   *
   * @param blocks the bytes of each rank's block
   */
  void pullTo(int root, List<Long> blocks) {
    table.barrier(0);
    load(blocks);
    for (int rank = 0; rank < ranks; rank++) {
      if (rank != root && blocks.get(rank) > 0) {
        table.add(rank, 0, List.of(rank), root, blocks.get(rank), 0, List.of());
      }
    }
    table.barrier(0);
  }

  private void load(List<Long> blocks) {
    for (int rank = 0; rank < ranks; rank++) {
      long bytes = blocks.get(rank);
      if (bytes > 0) {
        int own = rank;
        List<Integer> peers =
            IntStream.range(0, ranks).filter(peer -> peer != own).boxed().toList();
        table.add(rank, 0, peers, rank, bytes, peers.size() * bytes, List.of());
      }
    }
  }

  /**
   * Adds a round over RDMA links: all write to those behind them, one after another, and then
   * combine what they got.
   *
   * @param blocks the bytes of each rank's block
   */
  void push(List<Long> blocks) {
    List<Message> messages = new ArrayList<>();
    for (int distance = 1; distance < ranks; distance++) {
      for (int from = 0; from < ranks; from++) {
        int to = (from + distance) % ranks;
        messages.add(new Message(from, to, blocks.get(to)));
      }
    }
    table.exchange(0, messages, false);
    for (int rank = 0; rank < ranks; rank++) {
      table.add(rank, 0, List.of(), rank, 0, (ranks - 1) * blocks.get(rank), List.of());
    }
  }

  /** What all that was added costs; empty if it is too long. */
  Optional<Cost> cost() {
    return table.cost();
  }
}
