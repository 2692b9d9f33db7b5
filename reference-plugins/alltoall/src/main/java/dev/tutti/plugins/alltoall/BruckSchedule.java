package dev.tutti.plugins.alltoall;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Which blocks move how far in which step. A block that has to go d ranks to the right is number d,
 * and goes there digit by digit of d, the highest first: in the step of digit value z at weight w,
 * all blocks with that digit go z·w ranks to the right in one message.
 *
 * @param steps in order
 */
record BruckSchedule(List<Step> steps) {

  /**
   * One message of every rank.
   *
   * @param distance to which rank on the right it goes
   * @param blocks the blocks it carries, ascending
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

  /** Blocks that a rank sends in all steps. */
  long blocksInAll() {
    return steps.stream().mapToLong(step -> step.blocks().size()).sum();
  }

  /** Blocks of the longest message. */
  long blocksOfLongest() {
    return steps.stream().mapToLong(step -> step.blocks().size()).max().orElse(0);
  }
}
