package dev.tutti.engine;

import dev.tutti.plan.ActionKind;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Walks all streams of all ranks in one order that respects every stream and every notify, and
 * reports each action to a {@link Sink}. If the walk gets stuck, the plan deadlocks under every
 * schedule: no notify is lost, and only one stream awaits it, so another order would get stuck too.
 */
final class Unroller {

  /** Receives the actions in order. Events and streams are numbers that the sink has given out. */
  interface Sink {
    /** A stream starts, after everything its parent stream did so far. */
    int openStream(int rank, int parentStream);

    /** A nested plan's stream has ended; its parent continues after it. */
    void closeStream(int stream, int parentStream);

    void data(int stream, Frame.Part part, int action);

    /** Whether a data action may be passed; if not, its stream stays where it is. */
    default boolean passes(Frame.Part part, int action) {
      return true;
    }

    /** Returns the event that an AWAIT of this post gets. */
    int post(int stream, Frame.Part part, int action);

    void await(int stream, Frame.Part part, int action, int event);
  }

  private static final int NONE = -1;

  private final Frame root;
  private final Sink sink;

  /** Oldest unawaited event of each notify cell, or NONE. */
  private final int[] cellEvent;

  /** Younger events of cells that have more than one. */
  private final java.util.Map<Integer, ArrayDeque<Integer>> cellQueue = new java.util.HashMap<>();

  private final @Nullable Cursor[] cellWaiter;
  private final ArrayDeque<Cursor> ready = new ArrayDeque<>();
  private final List<Cursor> cursors = new ArrayList<>();

  /** The position in one stream of one part. */
  static final class Cursor {
    final Frame frame;
    final Frame.Part part;
    final int stream;
    final int sinkStream;
    final @Nullable Cursor parent;
    int position;
    int openChildren;
    @Nullable Cursor nextWaiter;

    Cursor(Frame frame, Frame.Part part, int stream, int sinkStream, @Nullable Cursor parent) {
      this.frame = frame;
      this.part = part;
      this.stream = stream;
      this.sinkStream = sinkStream;
      this.parent = parent;
      this.position = part.streamStart[stream];
    }

    boolean isDone() {
      return position == part.streamStart[stream + 1];
    }

    int action() {
      return part.byStream[position];
    }
  }

  private Unroller(Frame root, int cells, Sink sink) {
    this.root = root;
    this.sink = sink;
    this.cellEvent = new int[cells];
    Arrays.fill(cellEvent, NONE);
    this.cellWaiter = new Cursor[cells];
  }

  /**
   * Walks a plan.
   *
   * @throws TuttiException with {@link ErrorCode#DEADLOCK} if the plan cannot finish
   */
  static void walk(Frame root, List<Frame.Part> parts, Sink sink) {
    List<Cursor> stuck = stuck(root, parts, sink);
    if (!stuck.isEmpty()) {
      throw new TuttiException(ErrorCode.DEADLOCK, DeadlockText.explain(stuck));
    }
  }

  /** Walks as far as the sink allows, and returns the streams that are not at their end. */
  static List<Cursor> stuck(Frame root, List<Frame.Part> parts, Sink sink) {
    return new Unroller(root, parts.getLast().endCell(), sink).walk();
  }

  private List<Cursor> walk() {
    for (int rank = 0; rank < root.rankSize(); rank++) {
      open(root, rank, null);
    }
    while (!ready.isEmpty()) {
      advance(ready.poll());
    }
    return cursors.stream().filter(c -> !c.isDone()).toList();
  }

  private int open(Frame frame, int rank, @Nullable Cursor parent) {
    Frame.Part part = frame.part(rank);
    int opened = 0;
    for (int stream = 0; stream < part.plan.streamCount(); stream++) {
      int sinkStream = sink.openStream(rank, parent == null ? NONE : parent.sinkStream);
      Cursor cursor = new Cursor(frame, part, stream, sinkStream, parent);
      if (!cursor.isDone()) {
        cursors.add(cursor);
        ready.add(cursor);
        opened++;
      }
    }
    return opened;
  }

  /** Advances a stream until it has to wait. */
  private void advance(Cursor cursor) {
    while (!cursor.isDone()) {
      int action = cursor.action();
      ActionKind kind = cursor.part.plan.kind(action);
      switch (kind) {
        case COPY, REDUCE, REDUCE_FROM -> {
          if (!sink.passes(cursor.part, action)) {
            return;
          }
          sink.data(cursor.sinkStream, cursor.part, action);
        }
        case POST -> post(cursor, action);
        case AWAIT -> {
          if (!await(cursor, action)) {
            return;
          }
        }
        case NESTED -> {
          cursor.openChildren =
              open(
                  cursor.frame.nested(cursor.part.nestedNumber(action)),
                  cursor.part.plan.rank(),
                  cursor);
          if (cursor.openChildren > 0) {
            return;
          }
        }
      }
      cursor.position++;
    }
    Cursor parent = cursor.parent;
    if (parent != null) {
      sink.closeStream(cursor.sinkStream, parent.sinkStream);
      if (--parent.openChildren == 0) {
        parent.position++;
        ready.add(parent);
      }
    }
  }

  private void post(Cursor cursor, int action) {
    int event = sink.post(cursor.sinkStream, cursor.part, action);
    int cell = cursor.frame.cell(cursor.part, action, true);
    if (cellEvent[cell] == NONE) {
      cellEvent[cell] = event;
    } else {
      cellQueue.computeIfAbsent(cell, c -> new ArrayDeque<>()).add(event);
    }
    Cursor waiter = cellWaiter[cell];
    if (waiter != null) {
      cellWaiter[cell] = waiter.nextWaiter;
      waiter.nextWaiter = null;
      ready.add(waiter);
    }
  }

  private boolean await(Cursor cursor, int action) {
    int cell = cursor.frame.cell(cursor.part, action, false);
    int event = cellEvent[cell];
    if (event == NONE) {
      cursor.nextWaiter = cellWaiter[cell];
      cellWaiter[cell] = cursor;
      return false;
    }
    ArrayDeque<Integer> queue = cellQueue.get(cell);
    Integer next = queue == null ? null : queue.poll();
    cellEvent[cell] = next == null ? NONE : next;
    sink.await(cursor.sinkStream, cursor.part, action, event);
    return true;
  }
}
