package dev.tutti.host.planning;

import dev.tutti.host.call.CollectiveCall;

/**
 * The sizes for which one algorithm is chosen: those from a power of two to half as much again, and
 * those from there to the next power of two. The smallest size represents its class, so a choice
 * depends only on the call and not on earlier calls.
 */
final class SizeClass {

  /** The factor by which a count may be below the largest and still be replaced by it. */
  private static final int BALANCED = 4;

  private SizeClass() {}

  /**
   * The call by which an algorithm is chosen for a call. If ranks have different counts, those of
   * at least a quarter of the largest are replaced by the largest, because a step of an algorithm
   * takes as long as its longest message.
   */
  static CollectiveCall of(CollectiveCall call) {
    long most = smallest(call.maxCount());
    return call.withCounts(
        count -> most > 0 && count > 0 && count >= most / BALANCED ? most : smallest(count));
  }

  /** The smallest count of the class of a count. */
  static long smallest(long count) {
    if (count < 2) {
      return count;
    }
    long power = Long.highestOneBit(count);
    return count - power >= power / 2 ? power + power / 2 : power;
  }
}
