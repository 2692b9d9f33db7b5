package dev.tutti.verifier.order;

import java.util.HashMap;
import java.util.Map;
import java.util.function.IntPredicate;

/** Computes how many signals a notify must be able to hold if one is not enough. */
final class NotifyDepth {

  /** The number of questions about the order after which no more depths are computed. */
  private static final int MAX_QUESTIONS = 200_000;

  private final OrderFacts facts;
  private final IntPredicate hasLeftOvers;
  private final Map<Integer, Integer> known = new HashMap<>();
  private int largest = 1;
  private int questions;

  /**
   * Starts for a plan whose awaits are all in order.
   *
   * @param hasLeftOvers whether a cell has left-over signals
   */
  NotifyDepth(OrderFacts facts, IntPredicate hasLeftOvers) {
    this.facts = facts;
    this.hasLeftOvers = hasLeftOvers;
  }

  /** The largest depth that a queried cell needs. */
  int largest() {
    return largest;
  }

  /**
   * The depth that a cell needs, or {@link OrderSummary#UNBOUNDED} if no depth is known to be
   * enough.
   */
  int of(int cell) {
    int depth = known.computeIfAbsent(cell, this::compute);
    largest = Math.max(largest, depth);
    return depth;
  }

  /*
   * Depth d is enough if await k happens before post k + d for every k. A later await never happens
   * before an earlier post than the await before it does. So two marks that only move forward find
   * the largest distance from an await to the first post that it happens before.
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
