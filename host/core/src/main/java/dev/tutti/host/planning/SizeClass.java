package dev.tutti.host.planning;

import dev.tutti.host.call.CollectiveCall;

/**
 * The sizes for which one algorithm is chosen. Each range from a power of two to the next has two
 * classes, which meet at 1.5 times the lower power. The smallest size represents its class, so a
 * choice depends only on the call and not on earlier calls.
 */
final class SizeClass {

  /**
   * A count is replaced by the largest one if it is at least the largest divided by this factor.
   */
  private static final int BALANCED = 4;

  private SizeClass() {}

  /**
   * The call by which an algorithm is chosen for a call. If ranks have different counts, each count
   * of at least a quarter of the largest is replaced by the largest, because a step of an algorithm
   * takes as long as its longest message.
   */
  static CollectiveCall of(CollectiveCall call) {
    long most = smallest(call.maxCount());
    return call.withCounts(
        count -> most > 0 && count > 0 && count >= most / BALANCED ? most : smallest(count));
  }

  /** The smallest count in the size class of a count. */
  static long smallest(long count) {
    if (count < 2) {
      return count;
    }
    long power = Long.highestOneBit(count);
    return count - power >= power / 2 ? power + power / 2 : power;
  }
}
