package dev.tutti.engine;

import dev.tutti.base.idle.Clock;
import dev.tutti.base.idle.IdlePhase;
import dev.tutti.base.idle.Idler;
import dev.tutti.base.idle.Waiting;
import dev.tutti.base.text.Sentence;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.StringJoiner;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/** Runs a graph of tasklets on any threads that join. */
final class GraphRun extends PlanRun {

  /*
   * `pending[n]` counts the predecessors of node n that are not done. The thread that brings it to
   * zero owns the node: no other thread can touch its counter until its successors are released, so
   * the owner re-arms it with a plain store before that, and a replay needs no reset pass. The
   * decrement is acquire-release, which carries the memory effects of all predecessors to the
   * owner.
   *
   * A thread takes a seat, which gives it a deque of its own. It runs the first ready successor of
   * a node at once and pushes the others; when it has nothing left it steals, oldest first. Deques
   * have room for every node, so pushing never fails. `left` counts nodes of this run; a thread
   * that finds no more work subtracts what it has run, and the run is done when `left` is zero.
   *
   * Before any node is ready, the caller does a piece of one root. `opened` holds the number of
   * bytes done; the push of the root to a deque publishes it.
   *
   * A cancelled or failed run drains: nodes are skipped but still release their successors.
   */

  private static final VarHandle PENDING = MethodHandles.arrayElementVarHandle(int[].class);
  private static final VarHandle SEAT = MethodHandles.arrayElementVarHandle(int[].class);
  private static final VarHandle LEFT;

  static {
    try {
      LEFT = MethodHandles.lookup().findVarHandle(GraphRun.class, "left", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private static final int SEAT_STRIDE = 32;
  private static final int NONE = -1;

  private final TaskGraph graph;

  /** One runner for each seat. */
  private final TaskRunner[] runners;

  private final Frame.OfPlan frames;
  private final @Nullable IntConsumer rankDone;
  private final int[] pending;
  private final IntDeque[] deques;
  private final int[] seats;
  private volatile int left;
  private final Clock clock;

  /** How the caller waits for a seat. */
  private final Idler seatIdler;

  /** The root that is started before any node is ready, or NONE. */
  private final int opening;

  /** How many bytes of it are done. */
  private long opened;

  GraphRun(
      TaskGraph graph,
      TaskRunner[] runners,
      Frame.OfPlan frames,
      @Nullable IntConsumer rankDone,
      Waiting waiting) {
    super(waiting.clock());
    this.clock = waiting.clock();
    this.seatIdler = waiting.seat(runners.length).newIdler();
    this.graph = graph;
    this.runners = runners;
    this.frames = frames;
    this.rankDone = rankDone;
    this.pending = graph.indegree.clone();
    this.deques = new IntDeque[runners.length];
    for (int i = 0; i < runners.length; i++) {
      deques[i] = new IntDeque(graph.nodes);
    }
    this.seats = new int[(runners.length + 1) * SEAT_STRIDE];
    this.opening = firstWithData();
  }

  /** The first root that moves data. */
  private int firstWithData() {
    for (int root : graph.roots) {
      if (graph.count[root] > 0 && graph.tasks.op[graph.first[root]] != TaskArrays.CALL) {
        return root;
      }
    }
    return NONE;
  }

  private long open() {
    int first = graph.first[opening];
    long bytes = graph.to[opening] - graph.from[opening];
    return open(runners[0], first, graph.count[opening], graph.from[opening], bytes);
  }

  /** The start of a node's remaining work. */
  private long from(int node) {
    return node == opening ? graph.from[node] + opened : graph.from[node];
  }

  @Override
  boolean isShared() {
    return deques.length > 1;
  }

  @Override
  void begin(long newTimeoutNanos) {
    clear(newTimeoutNanos);
    opened = opening == NONE ? 0 : open();
    left = graph.nodes;
    for (int seat = 0; seat < deques.length; seat++) {
      waitFor(seat);
      for (int i = graph.roots.length - 1; i >= 0; i--) {
        if (i % deques.length == seat) {
          deques[seat].push(graph.roots[i]);
        }
      }
      leave(seat);
    }
  }

  /** A thread that found no work left in the previous run may still be reading its deque. */
  private void waitFor(int seat) {
    seatIdler.reset();
    while (!take(seat)) {
      if (seatIdler.idle() == IdlePhase.PARK) {
        clock.park(this, Waiting.PARK_NANOS);
      }
    }
  }

  private boolean take(int seat) {
    int cell = (seat + 1) * SEAT_STRIDE;
    return (int) SEAT.getOpaque(seats, cell) == 0 && SEAT.compareAndSet(seats, cell, 0, 1);
  }

  private void leave(int seat) {
    SEAT.setRelease(seats, (seat + 1) * SEAT_STRIDE, 0);
  }

  @Override
  boolean isDone() {
    return left == 0;
  }

  @Override
  public boolean help(int worker) {
    if (left == 0) {
      return false;
    }
    for (int i = 0; i < deques.length; i++) {
      int seat = (worker + i) % deques.length;
      if (take(seat)) {
        try {
          return work(seat);
        } finally {
          leave(seat);
        }
      }
    }
    return false;
  }

  private boolean work(int seat) {
    IntDeque own = deques[seat];
    int ran = 0;
    long budget = CHECK_BYTES;
    int node = next(own, seat);
    while (node != IntDeque.EMPTY) {
      run(node, runners[seat]);
      ran++;
      budget -= graph.to[node] - graph.from[node] + TASK_BYTES;
      if (budget < 0) {
        budget = CHECK_BYTES;
        checkClock();
      }
      node = release(node, own);
      if (node == IntDeque.EMPTY) {
        node = next(own, seat);
      }
    }
    if (ran > 0) {
      LEFT.getAndAdd(this, -ran);
    }
    return ran > 0;
  }

  private int next(IntDeque own, int seat) {
    int node = own.pop();
    for (int i = 1; node == IntDeque.EMPTY && i < deques.length; i++) {
      node = deques[(seat + i) % deques.length].steal();
    }
    return node;
  }

  private void run(int node, TaskRunner runner) {
    if (graph.count[node] == 0) {
      return;
    }
    if (isCancelled()) {
      skip();
      return;
    }
    int first = graph.first[node];
    try {
      if (graph.tasks.op[first] == TaskArrays.CALL) {
        if (rankDone != null) {
          rankDone.accept(graph.tasks.dst[first]);
        }
      } else if (graph.count[node] == 1) {
        long from = from(node);
        runner.run(first, from, graph.to[node] - from);
      } else {
        runner.runTiled(first, graph.count[node], from(node), graph.to[node]);
      }
    } catch (Throwable t) {
      fail(t);
    }
  }

  /** Releases the successors of a node; returns one that is ready, and pushes the others. */
  private int release(int node, IntDeque own) {
    pending[node] = graph.indegree[node];
    int next = IntDeque.EMPTY;
    for (int i = graph.successorStart[node]; i < graph.successorStart[node + 1]; i++) {
      int successor = graph.successor[i];
      if (graph.indegree[successor] == 1 || (int) PENDING.getAndAdd(pending, successor, -1) == 1) {
        if (next == IntDeque.EMPTY) {
          next = successor;
        } else {
          own.push(successor);
        }
      }
    }
    return next;
  }

  /**
   * Counters are re-armed when a tasklet is done, so a done tasklet looks like one that has not
   * begun.
   */
  @Override
  @Nullable Positions undone() {
    return null;
  }

  @Override
  String unfinished() {
    StringJoiner text = new StringJoiner("\n  ", "\n  ", "");
    text.add(left + " of " + graph.nodes + " tasklets are not done");
    int shown = 0;
    for (int node = 0; node < graph.nodes && shown < 8; node++) {
      int waiting = (int) PENDING.getOpaque(pending, node);
      if (waiting > 0 && waiting < graph.indegree[node]) {
        text.add(Sentence.of("%s waits for %d more", origin(node), waiting));
        shown++;
      }
    }
    return text.toString();
  }

  private String origin(int node) {
    if (graph.tasks.size == 0) {
      return "a joint";
    }
    int task = graph.first[node];
    Frame.Part part = frames.parts().get(graph.tasks.part[task]);
    int action = graph.tasks.action[task];
    return action < 0
        ? "rank " + part.plan.rank() + "'s callback"
        : DeadlockText.at(part.plan, action);
  }
}
