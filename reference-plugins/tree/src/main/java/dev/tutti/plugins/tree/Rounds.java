package dev.tutti.plugins.tree;

import java.util.function.LongToDoubleFunction;

/**
 * The rounds in which OP_BASE mode stages a vector; one round in GRAPH mode.
 *
 * @param full the number of rounds before the last one
 * @param perRound elements of each of them
 * @param last elements of the last one
 */
record Rounds(long full, long perRound, long last) {

  /**
   * Cuts a vector.
   *
   * @param count elements of the vector, 1 or more
   */
  static Rounds of(long count, long perRound) {
    long full = (count - 1) / perRound;
    return new Rounds(full, perRound, count - full * perRound);
  }

  /**
   * The sum of the costs of all rounds; {@code cost} gives the cost of a round from its elements.
   */
  double sum(LongToDoubleFunction cost) {
    return full * cost.applyAsDouble(perRound) + cost.applyAsDouble(last);
  }
}
