package dev.tutti.plugins.template;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The steps of an all-gather in which all ranks do the same, relative to themselves. A rank numbers
 * the blocks from its own on, with wrap-around. It keeps them in an order in which each step sends
 * consecutive blocks, as one message. In reverse, the steps are a reduce-scatter. Immutable.
 *
 * @param numbers the number of the block at each position
 * @param steps the steps in the order of an all-gather; no two have the same distance
 */
public record CirculantSchedule(List<Integer> numbers, List<CirculantStep> steps) {

  /** Takes immutable copies. */
  public CirculantSchedule {
    numbers = List.copyOf(numbers);
    steps = List.copyOf(steps);
  }

  /**
   * Bruck's steps: a rank with d blocks gets up to d blocks from each of the ranks d, 2d … behind
   * it, and then has {@code radix} times as many.
   */
  public static CirculantSchedule bruck(int ranks, int radix) {
    List<CirculantStep> steps = new ArrayList<>();
    for (long width = 1; width < ranks; width *= radix) {
      for (long to = width; to < Math.min(ranks, width * radix); to += width) {
        int blocks = (int) Math.min(width, ranks - to);
        steps.add(new CirculantStep((int) to, 0, (int) to, blocks));
      }
    }
    return new CirculantSchedule(ascending(ranks), steps);
  }

  /**
   * Träff's steps: as many as Bruck's with radix 2. The widths come from halving the number of
   * ranks repeatedly, rounded up.
   */
  public static CirculantSchedule halving(int ranks) {
    List<CirculantStep> steps = new ArrayList<>();
    int width = ranks;
    while (width > 1) {
      int half = Math.ceilDiv(width, 2);
      steps.add(new CirculantStep(half, 0, half, width - half));
      width = half;
    }
    Collections.reverse(steps);
    return new CirculantSchedule(ascending(ranks), steps);
  }

  private static List<Integer> ascending(int ranks) {
    List<Integer> numbers = new ArrayList<>();
    for (int number = 0; number < ranks; number++) {
      numbers.add(number);
    }
    return numbers;
  }

  /**
   * The steps of the non-uniform hierarchical ring: at distances that halve down to 1, a rank gets
   * all blocks that it does not have from the rank at that distance before it.
   */
  public static CirculantSchedule nonUniform(int ranks) {
    return new NonUniformSteps(ranks).schedule();
  }
}
