package dev.tutti.plugins.scan;

import dev.tutti.sdk.Cost;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.param.OpParam;

/**
 * The cost to pass a vector along a line in segments. The first rank hands on one segment after
 * another. The last segment reaches the last rank as many steps later as there are ranks between
 * the two. These ranks begin a round only after the rank behind them has consumed the previous
 * round.
 *
 * @param param the request
 * @param type its element type
 * @param count its elements
 * @param perRound the elements of each round but the last
 */
record Pipeline(OpParam param, DataType type, long count, long perRound) {

  /**
   * The cost.
   *
   * @param combining the number of ranks that combine what they receive with their input
   * @param isFused whether a segment counts as consumed only when it has been combined
   */
  Cost cost(int combining, boolean isFused) {
    int between = param.comm().rankSize() - 2;
    if (count == 0 || between < 0) {
      return new Cost(0, 0, 0);
    }
    long steps = segments() + between + (pauses() ? roundsInFull() - 1 + restRounds() : 0);
    long moved = bytes() + between * largest() + (pauses() ? pausedBytes() : 0);
    long combined = combining == 0 ? 0 : bytes() + (combining - 1) * largest();
    if (isFused && pauses()) {
      combined += pausedBytes();
    }
    return new Cost(steps, moved, combined);
  }

  private boolean pauses() {
    return param.comm().rankSize() > 2;
  }

  private long bytes() {
    return count * type.size();
  }

  private long roundsInFull() {
    return count / perRound;
  }

  private long rest() {
    return count % perRound;
  }

  private long restRounds() {
    return Math.min(1, rest());
  }

  private long segments() {
    return roundsInFull() * Segments.number(param, perRound, type)
        + Segments.number(param, rest(), type);
  }

  private long largest() {
    return Math.max(Segments.largest(param, perRound, type), Segments.largest(param, rest(), type));
  }

  /**
   * The bytes of the pauses between rounds: at each, the shorter of the two segments that meet
   * there.
   */
  private long pausedBytes() {
    long full = Segments.largest(param, perRound, type);
    long last = Segments.largest(param, rest(), type);
    return (roundsInFull() - 1) * full + Math.min(full, last);
  }
}
