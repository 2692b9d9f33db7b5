package dev.tutti.verifier.order;

import dev.tutti.simulator.flow.FlatPlan;
import dev.tutti.simulator.flow.FlatStream;
import dev.tutti.simulator.flow.Walk;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * All signals of a plan, as pairs of a post and its await, indexed by stream. The signals from one
 * stream to another through one cell are a lane. Both posts and awaits ascend along a lane.
 * Immutable once built.
 */
final class PostAwaitPairs {

  private final int[] cellBase;

  /**
   * The number of awaited signals of each cell; if the plan is stuck, fewer than the cell has
   * awaits.
   */
  private final int[] taken;

  private final int[] posts;
  private final int[] awaits;
  private final LaneIndex incoming;
  private final LaneIndex outgoing;
  private final Levels levels;

  /** The posting stream of each cell that is not shared; {@link #to} has its awaiting stream. */
  private final int[] from;

  private final int[] to;

  /**
   * For each cell with several streams, the streams of each signal: of the post in the high half,
   * of the await in the low half.
   */
  private final Map<Integer, long[]> shared;

  /** The start of each lane among the signals; {@link #laneSize} has its number of signals. */
  private final int[] laneBase;

  private final int[] laneSize;

  private PostAwaitPairs(Recorder recorder, int streams) {
    this.cellBase = recorder.cellBase;
    this.taken = recorder.seen;
    recorder.splitShared();
    this.posts = recorder.posts;
    this.awaits = recorder.awaits;
    this.laneBase = Arrays.copyOf(recorder.laneBase, recorder.lanes);
    this.laneSize = Arrays.copyOf(recorder.laneSize, recorder.lanes);
    int[] laneFrom = Arrays.copyOf(recorder.laneFrom, recorder.lanes);
    int[] laneTo = Arrays.copyOf(recorder.laneTo, recorder.lanes);
    this.incoming = new LaneIndex(laneTo, laneFrom, streams);
    this.outgoing = new LaneIndex(laneFrom, laneTo, streams);
    this.levels = recorder.levels.build();
    this.from = recorder.from;
    this.to = recorder.to;
    this.shared = recorder.shared;
  }

  /** Collects the signals of a plan in a walk. */
  static PostAwaitPairs of(FlatPlan plan) {
    Recorder recorder = new Recorder(awaits(plan), plan.streams().size());
    new Walk(plan, recorder).run();
    return new PostAwaitPairs(recorder, plan.streams().size());
  }

  /** The number of awaits of each cell. */
  private static int[] awaits(FlatPlan plan) {
    int[] counts = new int[plan.cellCount()];
    for (FlatStream stream : plan.streams()) {
      for (int event = 0; event < stream.size(); event++) {
        int sync = stream.sync(event);
        if (FlatStream.isAwait(sync)) {
          counts[FlatStream.cell(sync)]++;
        }
      }
    }
    return counts;
  }

  /** The lanes that end in a stream, by the streams where they start. */
  LaneIndex incoming() {
    return incoming;
  }

  /** The lanes that start in a stream, by the streams where they end. */
  LaneIndex outgoing() {
    return outgoing;
  }

  /** The level of an event; see {@link Levels}. */
  int level(int stream, int event) {
    return levels.at(stream, event);
  }

  /**
   * The first await of a lane whose signal is posted at or after an event, or -1 if there is none.
   */
  int awaitAfter(int lane, int postEvent) {
    int base = laneBase[lane];
    int found = Arrays.binarySearch(posts, base, base + laneSize[lane], postEvent);
    int at = found >= 0 ? found : -1 - found;
    return at == base + laneSize[lane] ? -1 : awaits[at];
  }

  /**
   * The last post of a lane whose signal is awaited at or before an event, or -1 if there is none.
   */
  int postBefore(int lane, int awaitEvent) {
    int base = laneBase[lane];
    int found = Arrays.binarySearch(awaits, base, base + laneSize[lane], awaitEvent);
    int at = found >= 0 ? found : -2 - found;
    return at < base ? -1 : posts[at];
  }

  /** The post of the k-th signal of a cell. */
  int post(int cell, int k) {
    return posts[cellBase[cell] + k];
  }

  /** The await of the k-th signal of a cell. */
  int await(int cell, int k) {
    return awaits[cellBase[cell] + k];
  }

  /** The stream that posts the k-th signal of a cell. */
  int postStream(int cell, int k) {
    long[] pairs = shared.get(cell);
    return pairs == null ? from[cell] : (int) (pairs[k] >>> 32);
  }

  /** The stream that awaits the k-th signal of a cell. */
  int awaitStream(int cell, int k) {
    long[] pairs = shared.get(cell);
    return pairs == null ? to[cell] : (int) pairs[k];
  }

  /** The number of signals of a cell that are awaited. */
  int signals(int cell) {
    return taken[cell];
  }

  /** Records the pairs during a walk. */
  private static final class Recorder implements Walk.Visitor {
    final int[] cellBase;
    int[] posts;
    int[] awaits;
    final Levels.Builder levels;
    int lanes;
    int[] laneFrom;
    int[] laneTo;
    int[] laneBase;
    int[] laneSize;

    /** The number of signals seen in each cell. */
    private final int[] seen;

    private final int[] from;
    private final int[] to;

    /** For each cell that several streams post or await, the streams of each signal. */
    private final Map<Integer, long[]> shared = new HashMap<>();

    /** Makes room for as many signals as each cell has awaits. */
    Recorder(int[] signals, int streams) {
      levels = new Levels.Builder(streams, signals.length);
      cellBase = new int[signals.length + 1];
      int used = 0;
      for (int cell = 0; cell < signals.length; cell++) {
        cellBase[cell + 1] = Math.addExact(cellBase[cell], signals[cell]);
        used += signals[cell] > 0 ? 1 : 0;
      }
      posts = new int[cellBase[signals.length]];
      awaits = new int[posts.length];
      seen = new int[signals.length];
      from = new int[signals.length];
      to = new int[signals.length];
      laneFrom = new int[used];
      laneTo = new int[used];
      laneBase = new int[used];
      laneSize = new int[used];
    }

    @Override
    public void post(int stream, int event, int cell, int pending) {
      levels.post(stream, cell);
    }

    @Override
    public void data(int stream, int event) {}

    @Override
    public void await(int stream, int event, int cell, int postStream, int postEvent) {
      levels.await(stream, event, cell);
      int k = seen[cell]++;
      posts[cellBase[cell] + k] = postEvent;
      awaits[cellBase[cell] + k] = event;
      if (k == 0) {
        from[cell] = postStream;
        to[cell] = stream;
      } else if (from[cell] != postStream || to[cell] != stream || !shared.isEmpty()) {
        share(cell, k, pair(postStream, stream));
      }
    }

    private static long pair(int postStream, int awaitStream) {
      return ((long) postStream << 32) | awaitStream;
    }

    private void share(int cell, int k, long pair) {
      long first = pair(from[cell], to[cell]);
      long[] pairs = shared.get(cell);
      if (pairs == null) {
        if (pair == first) {
          return;
        }
        pairs = new long[cellBase[cell + 1] - cellBase[cell]];
        Arrays.fill(pairs, 0, k, first);
        shared.put(cell, pairs);
      }
      pairs[k] = pair;
    }

    /**
     * Makes the lanes. The lanes of shared cells get copies of their signals at the end of the
     * arrays.
     */
    void splitShared() {
      int end = posts.length;
      int extra = shared.keySet().stream().mapToInt(cell -> seen[cell]).reduce(0, Math::addExact);
      posts = Arrays.copyOf(posts, Math.addExact(end, extra));
      awaits = Arrays.copyOf(awaits, posts.length);
      for (int cell = 0; cell < seen.length; cell++) {
        long[] pairs = shared.get(cell);
        if (seen[cell] > 0 && pairs == null) {
          addLane(from[cell], to[cell], cellBase[cell], seen[cell]);
        } else if (pairs != null) {
          end = split(cell, pairs, end);
        }
      }
    }

    private int split(int cell, long[] pairs, int start) {
      int end = start;
      long[] distinct = Arrays.stream(pairs, 0, seen[cell]).distinct().toArray();
      for (long pair : distinct) {
        int base = end;
        for (int k = 0; k < seen[cell]; k++) {
          if (pairs[k] == pair) {
            posts[end] = posts[cellBase[cell] + k];
            awaits[end++] = awaits[cellBase[cell] + k];
          }
        }
        addLane((int) (pair >>> 32), (int) pair, base, end - base);
      }
      return end;
    }

    private void addLane(int fromStream, int toStream, int base, int size) {
      if (fromStream == toStream) {
        return;
      }
      if (lanes == laneFrom.length) {
        int capacity = Math.max(16, Math.multiplyExact(lanes, 2));
        laneFrom = Arrays.copyOf(laneFrom, capacity);
        laneTo = Arrays.copyOf(laneTo, capacity);
        laneBase = Arrays.copyOf(laneBase, capacity);
        laneSize = Arrays.copyOf(laneSize, capacity);
      }
      laneFrom[lanes] = fromStream;
      laneTo[lanes] = toStream;
      laneBase[lanes] = base;
      laneSize[lanes++] = size;
    }
  }
}
