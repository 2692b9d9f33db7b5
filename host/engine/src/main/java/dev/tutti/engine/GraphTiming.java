package dev.tutti.engine;

import dev.tutti.engine.machine.MachineModel;
import java.util.Comparator;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Simulates a graph of tasklets on workers in model time: a free worker takes the node that has
 * been ready longest.
 */
final class GraphTiming {

  private static final Comparator<Ready> EARLIEST_FIRST =
      Comparator.comparingDouble(Ready::nanos).thenComparingInt(Ready::node);

  private final TaskGraph graph;
  private final TaskTimes times;
  private final MachineModel machine;
  private final @Nullable TraceBuilder trace;
  private final int[] missing;
  private final double[] readyNanos;
  private final double[] workers;
  private final PriorityQueue<Ready> ready = new PriorityQueue<>(EARLIEST_FIRST);

  private record Ready(double nanos, int node) {}

  /**
   * A graph that has not been simulated yet.
   *
   * @param trace receives the times of all tasks; null if they are not wanted
   */
  GraphTiming(
      TaskGraph graph,
      int workers,
      TaskTimes times,
      MachineModel machine,
      @Nullable TraceBuilder trace) {
    this.graph = graph;
    this.times = times;
    this.machine = machine;
    this.trace = trace;
    this.missing = graph.indegree.clone();
    this.readyNanos = new double[graph.nodes];
    this.workers = new double[workers];
  }

  /**
   * Simulates all nodes. Chance decides which worker takes a node, so here each node counts as a
   * worker of its own; {@link CompiledPlan#estimate} takes into account how likely it is that two
   * nodes run on different workers.
   *
   * @return nanoseconds until the last one ends
   */
  double play() {
    for (int root : graph.roots) {
      ready.add(new Ready(0, root));
    }
    double end = 0;
    for (Ready next = ready.poll(); next != null; next = ready.poll()) {
      int worker = freeFirst();
      double begin = Math.max(next.nanos(), workers[worker]);
      double done = begin + nanos(next.node());
      note(next.node(), worker, begin, done);
      workers[worker] = done;
      end = Math.max(end, done);
      release(next.node(), done);
    }
    return end;
  }

  /** The number of workers that had work. */
  int busyWorkers() {
    int busy = 0;
    for (double nanos : workers) {
      busy += nanos > 0 ? 1 : 0;
    }
    return busy;
  }

  private int freeFirst() {
    int best = 0;
    for (int worker = 1; worker < workers.length; worker++) {
      best = workers[worker] < workers[best] ? worker : best;
    }
    return best;
  }

  private double nanos(int node) {
    int doer = workers.length == 1 ? TaskTimes.ANYBODY : node;
    int count = graph.count[node];
    return machine.tasklet()
        + (isData(node)
            ? times.nanos(
                graph.tasks, graph.first[node], count, graph.from[node], graph.to[node], doer)
            : 0);
  }

  private boolean isData(int node) {
    return graph.count[node] > 0 && Tiling.isData(graph.tasks.op[graph.first[node]]);
  }

  private void note(int node, int worker, double begin, double end) {
    if (trace != null && isData(node)) {
      trace.note(
          graph.tasks,
          graph.first[node],
          graph.count[node],
          worker,
          "worker " + worker,
          Math.round(begin),
          Math.round(end));
    }
  }

  private void release(int node, double done) {
    for (int i = graph.successorStart[node]; i < graph.successorStart[node + 1]; i++) {
      int after = graph.successor[i];
      readyNanos[after] = Math.max(readyNanos[after], done);
      if (--missing[after] == 0) {
        ready.add(new Ready(readyNanos[after], after));
      }
    }
  }
}
