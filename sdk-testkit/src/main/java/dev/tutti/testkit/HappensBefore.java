package dev.tutti.testkit;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The order that a plan's notifies enforce. Walks all events once in one legal order, with a vector
 * clock per stream, and judges the notifies on the way.
 */
final class HappensBefore {

  /** Sees the events that touch memory or are the border of a call, in a legal order. */
  interface Visitor {
    /**
     * An event.
     *
     * @param clock for each stream the number of its events that happen before this one or are it;
     *     valid during the call
     */
    void visit(int stream, int event, int[] clock);
  }

  /*
   * Edges are stream order, entering the operation before anything in it, and the k-th post of a cell
   * before its k-th await. For that pairing to hold in every run, not only in the one walked here,
   * two conditions are checked for every cell, and they are exact:
   *
   * (1) The k-th await happens before post k+1. Else there is a run in which both posts are done and
   *     the await is not (the downward closures of the two posts form a reachable state without it):
   *     the bit is set twice and a signal lost.
   * (2) The k-th await happens before the event that precedes await k+1 in its stream, or is that
   *     event. Else there is a run in which both awaits are reached and one signal is there: either
   *     may take it.
   *
   * If both hold, posts and awaits of each cell alternate in one total order, and by induction over
   * the first event that would break it no run deviates from the order computed here. So a deadlock
   * or left-over signal seen here is seen in every run, and one not seen here in none.
   *
   * Cost: one int per stream for every notify event in time, streams² ints in memory. Made for some
   * hundred streams: 64 ranks with 3 streams and 1 million actions take a second or less.
   */
  private final FlatPlan plan;
  private final List<FlatStream> streams;
  private final Findings findings;
  private final Visitor visitor;
  private final int[][] clocks;
  private final int[] position;
  private final Cell[] cells;
  private final int[] queue;
  private int queueHead;
  private int queueSize;
  private @Nullable Message free;

  /** A signal that has been posted and not yet awaited. */
  private static final class Message {
    final int[] clock;
    @Nullable Message next;

    Message(int streams) {
      clock = new int[streams];
    }
  }

  /** One notify: its outstanding signals, its last await, and who waits. */
  private static final class Cell {
    @Nullable Message head;
    @Nullable Message tail;
    int awaitStream = -1;
    int awaitEvent;
    int[] waiters = new int[1];
    int waiterCount;

    void addWaiter(int stream) {
      if (waiterCount == waiters.length) {
        waiters = Arrays.copyOf(waiters, waiterCount * 2);
      }
      waiters[waiterCount++] = stream;
    }
  }

  HappensBefore(FlatPlan plan, Findings findings, Visitor visitor) {
    this.plan = plan;
    this.streams = plan.streams();
    this.findings = findings;
    this.visitor = visitor;
    int count = streams.size();
    this.clocks = new int[count][count];
    this.position = new int[count];
    this.queue = new int[count];
    this.cells = new Cell[plan.cellCount()];
    for (int cell = 0; cell < cells.length; cell++) {
      cells[cell] = new Cell();
    }
  }

  /** Walks; true if every event was reached. */
  boolean walk() {
    int main = 0;
    for (int stream = 0; stream < position.length; stream++) {
      if (streams.get(stream).sync(0) == FlatStream.BEGIN) {
        main = stream;
      } else {
        clocks[stream][main] = 1;
      }
      queue[queueSize++] = stream;
    }
    while (queueSize > 0) {
      int stream = queue[queueHead];
      queueHead = queueHead + 1 == queue.length ? 0 : queueHead + 1;
      queueSize--;
      run(stream);
    }
    boolean isComplete = true;
    for (int stream = 0; stream < position.length; stream++) {
      isComplete &= position[stream] == streams.get(stream).size();
    }
    if (isComplete) {
      findLeftOvers();
    } else {
      findings.add(Rules.DEADLOCK, new WaitGraph(plan, position).describe());
    }
    return isComplete;
  }

  /** Runs a stream until it waits or ends. */
  private void run(int stream) {
    FlatStream code = streams.get(stream);
    int[] clock = clocks[stream];
    for (int event = position[stream]; event < code.size(); event++) {
      int sync = code.sync(event);
      if (FlatStream.isAwait(sync)) {
        Cell cell = cells[FlatStream.cell(sync)];
        if (cell.head == null) {
          cell.addWaiter(stream);
          return;
        }
        checkAwait(cell, code, event, clock);
        take(cell, clock);
        cell.awaitStream = stream;
        cell.awaitEvent = event;
        clock[stream] = event + 1;
      } else {
        clock[stream] = event + 1;
        if (FlatStream.isPost(sync)) {
          Cell cell = cells[FlatStream.cell(sync)];
          checkPost(cell, code, event, clock);
          post(cell, clock);
        } else {
          visitor.visit(stream, event, clock);
        }
      }
      position[stream] = event + 1;
    }
  }

  /** Condition 1 of the essay above. */
  private void checkPost(Cell cell, FlatStream code, int event, int[] clock) {
    boolean isTaken =
        cell.head == null && (cell.awaitStream < 0 || clock[cell.awaitStream] > cell.awaitEvent);
    if (!isTaken) {
      findings.add(
          Rules.LOST_NOTIFY,
          code.origin(event),
          code.describe(event)
              + " can come before the previous signal of that notify has been awaited, and is then"
              + " lost"
              + (cell.awaitStream < 0 || cell.head != null
                  ? ""
                  : ": nothing orders it after "
                      + streams.get(cell.awaitStream).describe(cell.awaitEvent)));
    }
  }

  /** Condition 2 of the essay above. */
  private void checkAwait(Cell cell, FlatStream code, int event, int[] clock) {
    if (cell.awaitStream >= 0 && clock[cell.awaitStream] <= cell.awaitEvent) {
      FlatStream other = streams.get(cell.awaitStream);
      findings.add(
          Rules.STOLEN_NOTIFY,
          code.origin(event) + other.origin(cell.awaitEvent),
          code.describe(event)
              + " and "
              + other.describe(cell.awaitEvent)
              + " await one notify, and nothing orders them: either may take the other's signal");
    }
  }

  private void post(Cell cell, int[] clock) {
    Message message = free;
    if (message == null) {
      message = new Message(clock.length);
    } else {
      free = message.next;
      message.next = null;
    }
    System.arraycopy(clock, 0, message.clock, 0, clock.length);
    if (cell.tail == null) {
      cell.head = message;
    } else {
      cell.tail.next = message;
    }
    cell.tail = message;
    for (int i = 0; i < cell.waiterCount; i++) {
      int end = queueHead + queueSize++;
      queue[end >= queue.length ? end - queue.length : end] = cell.waiters[i];
    }
    cell.waiterCount = 0;
  }

  private void take(Cell cell, int[] clock) {
    Message message = cell.head;
    if (message == null) {
      throw new IllegalStateException("a signal is taken that is not there");
    }
    cell.head = message.next;
    if (cell.head == null) {
      cell.tail = null;
    }
    int[] from = message.clock;
    for (int i = 0; i < clock.length; i++) {
      clock[i] = Math.max(clock[i], from[i]);
    }
    message.next = free;
    free = message;
  }

  private void findLeftOvers() {
    for (int cell = 0; cell < cells.length; cell++) {
      long count = 0;
      for (Message message = cells[cell].head; message != null; message = message.next) {
        count++;
      }
      if (count > 0) {
        findings.add(Rules.LEFT_OVER_NOTIFY, WaitGraph.describeLeftOver(plan, cell, count));
      }
    }
  }
}
