package dev.tutti.verifier.order;

import java.util.HashMap;
import java.util.Map;
import java.util.function.IntPredicate;

/** How many signals notifies must be able to hold where one is not enough. */
final class NotifyDepth {

  /** Questions about the order after which no more depths are worked out. */
  private static final int MAX_QUESTIONS = 200_000;

  private final OrderFacts facts;
  private final IntPredicate hasLeftOvers;
  private final Map<Integer, Integer> known = new HashMap<>();
  private int largest = 1;
  private int questions;

  /**
   * Depths in a plan whose awaits are all in order.
   *
   * @param hasLeftOvers whether signals of a cell are left over
   */
  NotifyDepth(OrderFacts facts, IntPredicate hasLeftOvers) {
    this.facts = facts;
    this.hasLeftOvers = hasLeftOvers;
  }

  /** The depth that all cells need that were asked for. */
  int largest() {
    return largest;
  }

  /** The depth that a cell needs, or {@link OrderSummary#UNBOUNDED} if it is not known. */
  int of(int cell) {
    int depth = known.computeIfAbsent(cell, this::compute);
    largest = Math.max(largest, depth);
    return depth;
  }

  /*
   * Depth d is enough if await k happens before post k + d for every k. Later awaits are ordered
   * before later posts only, so two marks that move forwards find the largest distance from an await
   * to the first post that it happens before.
   */
  private int compute(int cell) {
    if (hasLeftOvers.test(cell)) {
      return OrderSummary.UNBOUNDED;
    }
    PostAwaitPairs pairs = facts.pairs();
    int count = pairs.signals(cell);
    int depth = 1;
    int post = 0;
    for (int k = 0; k < count; k++) {
      post = Math.max(post, k + 1);
      while (post < count && !isBefore(pairs, cell, k, post)) {
        post++;
      }
      depth = Math.max(depth, post - k);
      if (questions > MAX_QUESTIONS) {
        return OrderSummary.UNBOUNDED;
      }
    }
    return depth;
  }

  private boolean isBefore(PostAwaitPairs pairs, int cell, int await, int post) {
    questions++;
    return facts
        .reach()
        .isBefore(
            pairs.awaitStream(cell, await),
            pairs.await(cell, await),
            pairs.postStream(cell, post),
            pairs.post(cell, post));
  }
}
