package dev.tutti.host.planning;

import dev.tutti.host.call.CollectiveCall;

/**
 * The sizes for which one algorithm is chosen: those from a power of two to half as much again, and
 * those from there to the next power of two. Each class stands for its smallest size, so a choice
 * depends on the call alone and not on what was called before.
 */
final class SizeClass {

  /** What counts of one call may differ by and still stand for the largest. */
  private static final int BALANCED = 4;

  private SizeClass() {}

  /**
   * The call by which an algorithm is chosen for a call. If ranks have counts of their own, those
   * that are at least a quarter of the largest stand for the largest: no step of an algorithm is
   * done before its longest message is.
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
