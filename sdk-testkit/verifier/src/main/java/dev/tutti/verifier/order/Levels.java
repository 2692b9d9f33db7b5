package dev.tutti.verifier.order;

import java.util.Arrays;

/**
 * The level of every event: an await is at least one level above its post and above everything
 * before it in its stream. So levels never fall along a chain of events that happen one after
 * another, and rise wherever the chain changes streams. A level is like the time on a machine where
 * a signal takes one tick and everything else takes none. Immutable.
 */
final class Levels {

  private final int[] base;

  /**
   * The awaits of each stream; their levels are in {@link #levels}. Events before the first await
   * have level 0.
   */
  private final int[] events;

  private final int[] levels;

  private Levels(int[] base, int[] events, int[] levels) {
    this.base = base;
    this.events = events;
    this.levels = levels;
  }

  /** The level of an event. */
  int at(int stream, int event) {
    int found = Arrays.binarySearch(events, base[stream], base[stream + 1], event);
    int at = found >= 0 ? found : -2 - found;
    return at < base[stream] ? 0 : levels[at];
  }

  /** Computes levels along a walk. */
  static final class Builder {
    private final int[] ofStream;

    /** For each cell, the level of its highest post. */
    private final int[] ofCell;

    private int[] streams = new int[64];
    private int[] events = new int[64];
    private int[] levels = new int[64];
    private int size;

    Builder(int streams, int cells) {
      this.ofStream = new int[streams];
      this.ofCell = new int[cells];
    }

    void post(int stream, int cell) {
      ofCell[cell] = Math.max(ofCell[cell], ofStream[stream]);
    }

    void await(int stream, int event, int cell) {
      if (size == streams.length) {
        int capacity = Math.multiplyExact(size, 2);
        streams = Arrays.copyOf(streams, capacity);
        events = Arrays.copyOf(events, capacity);
        levels = Arrays.copyOf(levels, capacity);
      }
      ofStream[stream] = Math.max(ofStream[stream], ofCell[cell]) + 1;
      streams[size] = stream;
      events[size] = event;
      levels[size++] = ofStream[stream];
    }

    Levels build() {
      int[] base = new int[ofStream.length + 1];
      for (int i = 0; i < size; i++) {
        base[streams[i] + 1]++;
      }
      for (int stream = 0; stream < ofStream.length; stream++) {
        base[stream + 1] += base[stream];
      }
      int[] next = base.clone();
      int[] sortedEvents = new int[size];
      int[] sortedLevels = new int[size];
      for (int i = 0; i < size; i++) {
        int at = next[streams[i]]++;
        sortedEvents[at] = events[i];
        sortedLevels[at] = levels[i];
      }
      return new Levels(base, sortedEvents, sortedLevels);
    }
  }
}
