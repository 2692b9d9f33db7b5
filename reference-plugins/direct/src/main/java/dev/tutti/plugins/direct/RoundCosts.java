package dev.tutti.plugins.direct;

import dev.tutti.sdk.Cost;
import java.util.Optional;
import java.util.function.LongFunction;

/** Adds up the costs of rounds, if all ranks wait for one another between rounds. */
final class RoundCosts {

  private static final Cost NOTHING = new Cost(0, 0, 0);

  private RoundCosts() {}

  /**
   * The cost of all rounds of a vector; empty if the cost of one is not known.
   *
   * @param count elements of the vector
   * @param perRound elements of each round, 1 or more; the last one has the rest
   * @param round the cost of a round of some elements
   */
  static Optional<Cost> sum(long count, long perRound, LongFunction<Optional<Cost>> round) {
    long full = count / perRound;
    long rest = count % perRound;
    Optional<Cost> last = rest == 0 ? Optional.of(NOTHING) : round.apply(rest);
    return full == 0
        ? last
        : last.flatMap(after -> round.apply(perRound).map(one -> sum(full, one, after)));
  }

  private static Cost sum(long times, Cost one, Cost after) {
    return new Cost(
        times * one.alphas() + after.alphas(),
        times * one.betaBytes() + after.betaBytes(),
        times * one.gammaBytes() + after.gammaBytes());
  }
}
