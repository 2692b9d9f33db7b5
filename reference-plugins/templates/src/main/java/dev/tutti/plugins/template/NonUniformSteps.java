package dev.tutti.plugins.template;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Finds the order of blocks in which each step of the non-uniform hierarchical ring sends
 * consecutive ones. Here, the number of a block is the distance of its owner before the rank.
 */
final class NonUniformSteps {

  /*
   * Why each step sends consecutive blocks. Before the step at distance d, a rank has the blocks
   * whose numbers are multiples of 2d and below the number of ranks. At the receiver, the number of
   * a block is larger by d. The rank sends all blocks whose new number is still below the number of
   * ranks. At most the farthest block is left out, so it is enough to keep the farthest block last.
   * Blocks arrive in the order in which they were sent. If the farthest block was sent, it arrives
   * last and is the new farthest one, so the arriving blocks go to the end. If not, the old one
   * stays the farthest, and the arriving blocks go to the beginning.
   */

  private final int ranks;
  private final Deque<Integer> held = new ArrayDeque<>();

  /** The first block, by the sender's numbers, and the number of blocks of each step. */
  private final List<Sent> sent = new ArrayList<>();

  private record Sent(int distance, int first, int blocks) {}

  NonUniformSteps(int ranks) {
    this.ranks = ranks;
    held.add(0);
    for (int distance = Integer.highestOneBit(ranks - 1); distance > 0; distance >>= 1) {
      step(distance);
    }
  }

  private void step(int distance) {
    int reach = ranks - distance;
    List<Integer> blocks = held.stream().filter(block -> block < reach).toList();
    sent.add(new Sent(distance, blocks.getFirst(), blocks.size()));
    if (blocks.size() == held.size()) {
      blocks.forEach(block -> held.addLast(block + distance));
    } else {
      blocks.reversed().forEach(block -> held.addFirst(block + distance));
    }
  }

  CirculantSchedule schedule() {
    int[] positions = new int[ranks];
    List<Integer> numbers = new ArrayList<>();
    for (int block : held) {
      positions[block] = numbers.size();
      numbers.add((ranks - block) % ranks);
    }
    return new CirculantSchedule(
        numbers,
        sent.stream()
            .map(
                s ->
                    new CirculantStep(
                        ranks - s.distance(),
                        positions[s.first()],
                        positions[s.first() + s.distance()],
                        s.blocks()))
            .toList());
  }
}
