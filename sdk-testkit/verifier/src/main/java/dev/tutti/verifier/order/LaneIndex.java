package dev.tutti.verifier.order;

import java.util.Arrays;

/** The lanes at each stream, sorted by the stream at their other end. Immutable. */
final class LaneIndex {

  private final int[] base;
  private final int[] lanes;
  private final int[] others;

  /**
   * Sorts lanes.
   *
   * @param ends for each lane, the stream under which it is listed
   * @param otherEnds for each lane, the stream at its other end
   */
  LaneIndex(int[] ends, int[] otherEnds, int streams) {
    int[] order = new int[ends.length];
    Arrays.setAll(order, lane -> lane);
    order = sorted(order, otherEnds, new int[streams + 1]);
    this.base = new int[streams + 1];
    this.lanes = sorted(order, ends, base);
    this.others = new int[lanes.length];
    Arrays.setAll(others, at -> otherEnds[lanes[at]]);
  }

  /** Sorts stably by stream, and writes the place where each stream begins to {@code start}. */
  private static int[] sorted(int[] order, int[] streamOf, int[] start) {
    for (int lane : order) {
      start[streamOf[lane] + 1]++;
    }
    for (int stream = 1; stream < start.length; stream++) {
      start[stream] += start[stream - 1];
    }
    int[] next = start.clone();
    int[] sorted = new int[order.length];
    for (int lane : order) {
      sorted[next[streamOf[lane]]++] = lane;
    }
    return sorted;
  }

  /** The first place of a stream's lanes. They end where those of the next stream begin. */
  int first(int stream) {
    return base[stream];
  }

  /** The number of lanes of a stream. */
  int degree(int stream) {
    return base[stream + 1] - base[stream];
  }

  /**
   * The first place of the lanes between two streams. Without such lanes, some other place; see
   * {@link #isTo}.
   */
  int firstTo(int stream, int other) {
    int low = base[stream];
    int high = base[stream + 1];
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (others[middle] < other) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Whether a place of a stream has a lane to or from another stream. */
  boolean isTo(int stream, int at, int other) {
    return at < base[stream + 1] && others[at] == other;
  }

  /** The lane at a place. */
  int lane(int at) {
    return lanes[at];
  }

  /** The stream at the other end of the lane at a place. */
  int other(int at) {
    return others[at];
  }
}
