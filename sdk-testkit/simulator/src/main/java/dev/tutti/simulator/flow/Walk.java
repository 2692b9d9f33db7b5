package dev.tutti.simulator.flow;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Walks all events of a plan once, in one legal order. The first await that reaches a signal takes
 * it. Signals that pile up on one cell wait in a queue, so the walk also finishes if the plan loses
 * signals on one-bit notifies. An instance serves one pass.
 */
public final class Walk {

  /** Receives the events in a legal order: every event after all that happen before it. */
  public interface Visitor {

    /** An event that moves data. */
    void data(int stream, int event);

    /** A rank enters or leaves the operation. */
    default void border(int stream, int event, boolean isBegin) {}

    /**
     * A notify is posted.
     *
     * @param pending the signals already pending at that cell; 0 unless signals pile up
     */
    default void post(int stream, int event, int cell, int pending) {}

    /**
     * A notify is awaited, and its signal has been posted.
     *
     * @param postStream the stream that posted it
     * @param postEvent the post
     */
    default void await(int stream, int event, int cell, int postStream, int postEvent) {}
  }

  /** A visitor that passes each event to {@code one}, then to {@code other}. */
  public static Visitor both(Visitor one, Visitor other) {
    return new Both(one, other);
  }

  private record Both(Visitor one, Visitor other) implements Visitor {
    @Override
    public void data(int stream, int event) {
      one.data(stream, event);
      other.data(stream, event);
    }

    @Override
    public void border(int stream, int event, boolean isBegin) {
      one.border(stream, event, isBegin);
      other.border(stream, event, isBegin);
    }

    @Override
    public void post(int stream, int event, int cell, int pending) {
      one.post(stream, event, cell, pending);
      other.post(stream, event, cell, pending);
    }

    @Override
    public void await(int stream, int event, int cell, int postStream, int postEvent) {
      one.await(stream, event, cell, postStream, postEvent);
      other.await(stream, event, cell, postStream, postEvent);
    }
  }

  private static final int NONE = -1;

  /*
   * The data of a cell is in one place, so a post or an await in a large plan costs about one cache
   * line. The stream that became ready last runs first. So partners that signal each other run
   * close in time, and their lines stay in the cache.
   */
  private static final int CELL = 4;

  private static final int POST_STREAM = 0;
  private static final int POST_EVENT = 1;
  private static final int WAITER = 2;

  private final List<FlatStream> streams;
  private final Visitor visitor;
  private final int[] position;

  /**
   * For each cell: the oldest signal that is posted and not awaited, as stream + 1 (0 for none) and
   * event; then the first waiting stream + 1.
   */
  private final int[] cells;

  /** By cell: the signals that queue behind the oldest one. */
  private final Map<Integer, ArrayDeque<int[]>> piled = new HashMap<>();

  /** For each stream that waits the next one that waits for the same cell, or NONE. */
  private final int[] nextWaiter;

  private final int[] ready;
  private int readyCount;

  /** A walk of a plan. */
  public Walk(FlatPlan plan, Visitor visitor) {
    this.streams = plan.streams();
    this.visitor = visitor;
    int count = streams.size();
    this.position = new int[count];
    this.ready = new int[count];
    this.nextWaiter = new int[count];
    this.cells = new int[Math.multiplyExact(plan.cellCount(), CELL)];
  }

  /** Walks; true if every event was reached, false if the plan is stuck. */
  public boolean run() {
    for (int stream = position.length - 1; stream >= 0; stream--) {
      ready[readyCount++] = stream;
    }
    int done = 0;
    while (readyCount > 0) {
      int stream = ready[--readyCount];
      if (run(stream)) {
        done++;
      }
    }
    return done == position.length;
  }

  /** Runs a stream until it ends or waits; true if it has ended. */
  private boolean run(int stream) {
    FlatStream code = streams.get(stream);
    int size = code.size();
    for (int event = position[stream]; event < size; event++) {
      int sync = code.sync(event);
      if (sync == FlatStream.DATA) {
        visitor.data(stream, event);
      } else if (sync < 0) {
        visitor.border(stream, event, sync == FlatStream.BEGIN);
      } else if (FlatStream.isPost(sync)) {
        post(stream, event, FlatStream.cell(sync));
      } else if (!await(stream, event, FlatStream.cell(sync))) {
        position[stream] = event;
        return false;
      }
    }
    position[stream] = size;
    return true;
  }

  private void post(int stream, int event, int cell) {
    int at = cell * CELL;
    int pending = 0;
    if (cells[at + POST_STREAM] == 0) {
      cells[at + POST_STREAM] = stream + 1;
      cells[at + POST_EVENT] = event;
    } else {
      ArrayDeque<int[]> behind = piled.computeIfAbsent(cell, c -> new ArrayDeque<>());
      behind.add(new int[] {stream, event});
      pending = behind.size();
    }
    visitor.post(stream, event, cell, pending);
    for (int waiter = cells[at + WAITER] - 1; waiter != NONE; waiter = nextWaiter[waiter]) {
      ready[readyCount++] = waiter;
    }
    cells[at + WAITER] = 0;
  }

  private boolean await(int stream, int event, int cell) {
    int at = cell * CELL;
    int postStream = cells[at + POST_STREAM] - 1;
    if (postStream == NONE) {
      nextWaiter[stream] = cells[at + WAITER] - 1;
      cells[at + WAITER] = stream + 1;
      return false;
    }
    int postEvent = cells[at + POST_EVENT];
    ArrayDeque<int[]> behind = piled.isEmpty() ? null : piled.get(cell);
    int @Nullable [] next = behind == null ? null : behind.poll();
    cells[at + POST_STREAM] = next == null ? 0 : next[0] + 1;
    cells[at + POST_EVENT] = next == null ? 0 : next[1];
    visitor.await(stream, event, cell, postStream, postEvent);
    return true;
  }

  /** For each stream the event it waits at, or its size if it is done. */
  public int[] position() {
    return position;
  }

  /** The number of signals of a cell that are posted and not awaited. */
  public int pending(int cell) {
    if (cells[cell * CELL + POST_STREAM] == 0) {
      return 0;
    }
    ArrayDeque<int[]> behind = piled.get(cell);
    return 1 + (behind == null ? 0 : behind.size());
  }
}
