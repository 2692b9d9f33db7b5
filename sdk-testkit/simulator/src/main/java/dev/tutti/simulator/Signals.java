package dev.tutti.simulator;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * The notify cells of a simulated plan. A signal to a set cell queues behind the earlier one, so
 * the simulation also finishes if the plan loses signals on one-bit notifies. Not thread-safe.
 */
final class Signals {

  static final int NONE = -1;

  private final long[] time;
  private final int[] depth;
  private final int[] cause;
  private final int[] postStream;
  private final int[] postEvent;
  private final int[] waiter;
  private final int[] nextWaiter;
  private final Map<Integer, ArrayDeque<long[]>> piled = new HashMap<>();

  Signals(int cells, int streams) {
    time = new long[cells];
    Arrays.fill(time, NONE);
    depth = new int[cells];
    cause = new int[cells];
    postStream = new int[cells];
    postEvent = new int[cells];
    waiter = new int[cells];
    Arrays.fill(waiter, NONE);
    nextWaiter = new int[streams];
  }

  /**
   * Sets a cell.
   *
   * @param at when the signal arrives
   * @param steps the messages on the longest chain that leads to it
   * @param afterRecord the action that the poster waited for last
   */
  void post(int cell, long at, int steps, int afterRecord, int stream, int event) {
    if (time[cell] == NONE) {
      set(cell, at, steps, afterRecord, stream, event);
    } else {
      piled
          .computeIfAbsent(cell, c -> new ArrayDeque<>())
          .add(new long[] {at, steps, afterRecord, stream, event});
    }
  }

  private void set(int cell, long at, int steps, int afterRecord, int stream, int event) {
    time[cell] = at;
    depth[cell] = steps;
    cause[cell] = afterRecord;
    postStream[cell] = stream;
    postEvent[cell] = event;
  }

  boolean isSet(int cell) {
    return time[cell] != NONE;
  }

  long time(int cell) {
    return time[cell];
  }

  int depth(int cell) {
    return depth[cell];
  }

  int cause(int cell) {
    return cause[cell];
  }

  int postStream(int cell) {
    return postStream[cell];
  }

  int postEvent(int cell) {
    return postEvent[cell];
  }

  /** Clears a cell that is set; the next queued signal takes its place. */
  void clear(int cell) {
    time[cell] = NONE;
    if (!piled.isEmpty()) {
      ArrayDeque<long[]> behind = piled.get(cell);
      if (behind != null && !behind.isEmpty()) {
        long[] signal = behind.poll();
        set(cell, signal[0], (int) signal[1], (int) signal[2], (int) signal[3], (int) signal[4]);
      }
    }
  }

  /** Makes a stream wait for a cell. */
  void wait(int cell, int stream) {
    nextWaiter[stream] = waiter[cell];
    waiter[cell] = stream;
  }

  /** Takes a stream that waits for a cell, or {@link #NONE}. */
  int takeWaiter(int cell) {
    int stream = waiter[cell];
    if (stream != NONE) {
      waiter[cell] = nextWaiter[stream];
    }
    return stream;
  }
}
