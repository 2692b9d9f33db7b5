package dev.tutti.plugins.alltoall;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The steps of Bruck's algorithm, with the distance and the blocks of each. Block d has to move d
 * ranks to the right. It does so by the digits of d, the highest digit first: in the step for digit
 * value z at weight w, all blocks with that digit move z·w ranks to the right in one message.
 *
 * @param steps the steps, in order
 */
record BruckSchedule(List<Step> steps) {

  /**
   * One message of every rank.
   *
   * @param distance the number of ranks that it moves to the right
   * @param blocks the blocks in it, ascending
   */
  record Step(int distance, List<Integer> blocks) {}

  static BruckSchedule of(int ranks, int radix) {
    List<Step> steps = new ArrayList<>();
    for (long weight = highestWeight(ranks, radix); weight >= 1; weight /= radix) {
      for (long distance = weight; distance < Math.min(ranks, weight * radix); distance += weight) {
        steps.add(new Step((int) distance, moved(ranks, radix, weight, distance / weight)));
      }
    }
    return new BruckSchedule(steps);
  }

  private static long highestWeight(int ranks, int radix) {
    long weight = 1;
    while (weight * radix < ranks) {
      weight *= radix;
    }
    return weight;
  }

  private static List<Integer> moved(int ranks, int radix, long weight, long digit) {
    return IntStream.range(0, ranks).filter(d -> d / weight % radix == digit).boxed().toList();
  }

  /** The distances of all steps. */
  int[] distances() {
    return steps.stream().mapToInt(Step::distance).toArray();
  }

  /** The number of blocks that a rank sends in all steps. */
  long blocksInAll() {
    return steps.stream().mapToLong(step -> step.blocks().size()).sum();
  }

  /** The number of blocks in the longest message. */
  long blocksOfLongest() {
    return steps.stream().mapToLong(step -> step.blocks().size()).max().orElse(0);
  }
}
