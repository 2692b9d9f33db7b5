package dev.tutti.plugins.circulant;

import java.util.stream.IntStream;

/**
 * The blocks that one rank sends and receives in each round. Ranks are counted from the root.
 *
 * <p>A phase is one round of each kind. The first phase begins in its middle, so that the last one
 * ends with the last block: block 0 leaves the root in the first round, and every rank has its last
 * block after {@code blocks - 1 + ⌈log₂ p⌉} rounds. Each rank receives each block once. In the last
 * phase, only a rank's base block would have number {@code blocks - 1} or a larger one; it is then
 * the last block.
 */
final class Schedule {

  /** No block is sent or received in this round. */
  static final int NONE = -1;

  private final CirculantGraph graph;
  private final int rank;
  private final int blocks;
  private final int skippedRounds;
  private final int[] received;
  private final int[] sent;

  Schedule(CirculantGraph graph, int rank, int blocks) {
    this.graph = graph;
    this.rank = rank;
    this.blocks = blocks;
    int kinds = graph.kinds();
    this.skippedRounds = kinds == 0 ? 0 : Math.floorMod(1 - blocks, kinds);
    this.received = graph.received(rank);
    this.sent = new int[kinds];
    for (int kind = 0; kind < kinds; kind++) {
      sent[kind] = graph.sent(rank, kind);
    }
  }

  /** The number of rounds; 0 if there is one rank. */
  int rounds() {
    return graph.kinds() == 0 ? 0 : blocks - 1 + graph.kinds();
  }

  /** The rank that this rank sends to in a round. */
  int receiver(int round) {
    return graph.next(rank, kind(round));
  }

  /** The rank that this rank receives from in a round. */
  int sender(int round) {
    return graph.previous(rank, kind(round));
  }

  private int kind(int round) {
    return (round + skippedRounds) % graph.kinds();
  }

  /** The block that this rank receives in a round, or {@link #NONE}. */
  int received(int round) {
    return rank == 0 ? NONE : block(received, round);
  }

  /** The block that this rank sends in a round, or {@link #NONE}. */
  int sent(int round) {
    return receiver(round) == 0 ? NONE : block(sent, round);
  }

  /** The ranks that this rank talks to. */
  IntStream peers() {
    IntStream rounds = IntStream.range(0, rounds());
    return rounds
        .flatMap(
            round ->
                IntStream.concat(
                    sent(round) == NONE ? IntStream.empty() : IntStream.of(receiver(round)),
                    received(round) == NONE ? IntStream.empty() : IntStream.of(sender(round))))
        .distinct();
  }

  private int block(int[] relative, int round) {
    int kind = kind(round);
    int block = relative[kind] + round - kind;
    return block < 0 ? NONE : Math.min(block, blocks - 1);
  }
}
