package dev.tutti.engine;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A compiled plan as a graph of tasklets: nodes with the number of nodes they wait for. A node runs
 * some neighbouring tasks on a part of their bytes, calls back, or only joins.
 */
final class TaskGraph {

  final TaskArrays tasks;
  final int nodes;

  /** First task of each node. */
  final int[] first;

  /** Number of tasks of each node. */
  final int[] count;

  /** The bytes of its tasks that a node covers. */
  final long[] from;

  final long[] to;

  /** Number of predecessors of each node. */
  final int[] indegree;

  /** Successors of node n are {@code successor[successorStart[n] .. successorStart[n + 1])}. */
  final int[] successorStart;

  final int[] successor;

  /** Nodes without predecessors. */
  final int[] roots;

  private TaskGraph(Builder builder) {
    this.tasks = builder.tasks;
    this.nodes = builder.nodes;
    this.first = Arrays.copyOf(builder.first, nodes);
    this.count = Arrays.copyOf(builder.count, nodes);
    this.from = Arrays.copyOf(builder.from, nodes);
    this.to = Arrays.copyOf(builder.to, nodes);
    this.indegree = new int[nodes];
    this.successorStart = new int[nodes + 1];
    this.successor = new int[builder.edges];
    int[] edgeFrom = builder.edgeFrom;
    int[] edgeTo = builder.edgeTo;
    for (int edge = 0; edge < builder.edges; edge++) {
      successorStart[edgeFrom[edge] + 1]++;
      indegree[edgeTo[edge]]++;
    }
    for (int node = 0; node < nodes; node++) {
      successorStart[node + 1] += successorStart[node];
    }
    int[] next = successorStart.clone();
    for (int edge = 0; edge < builder.edges; edge++) {
      successor[next[edgeFrom[edge]]++] = edgeTo[edge];
    }
    int rootCount = 0;
    int[] found = new int[nodes];
    for (int node = 0; node < nodes; node++) {
      if (indegree[node] == 0) {
        found[rootCount++] = node;
      }
    }
    this.roots = Arrays.copyOf(found, rootCount);
  }

  /** The same graph with the tasks of another plan. */
  private TaskGraph(TaskGraph model, TaskArrays tasks, long[] to) {
    this.tasks = tasks;
    this.nodes = model.nodes;
    this.first = model.first;
    this.count = model.count;
    this.from = model.from;
    this.to = to;
    this.indegree = model.indegree;
    this.successorStart = model.successorStart;
    this.successor = model.successor;
    this.roots = model.roots;
  }

  /**
   * The same graph with tasks of other sizes; null if some tasks of this graph or of the other plan
   * are so large that nodes are cut into pieces.
   */
  @Nullable TaskGraph moved(TaskArrays moved) {
    long[] ends = to.clone();
    for (int node = 0; node < nodes; node++) {
      if (count[node] > 0 && Tiling.isData(tasks.op[first[node]])) {
        ends[node] = moved.bytes[first[node]];
        if (Math.max(ends[node], tasks.bytes[first[node]]) >= GraphCompiler.MIN_CUT) {
          return null;
        }
      }
    }
    return new TaskGraph(this, moved, ends);
  }

  /** Collects nodes and edges. */
  static final class Builder {
    final TaskArrays tasks;
    int nodes;
    int[] first = new int[16];
    int[] count = new int[16];
    long[] from = new long[16];
    long[] to = new long[16];
    int edges;
    int[] edgeFrom = new int[16];
    int[] edgeTo = new int[16];

    Builder(TaskArrays tasks) {
      this.tasks = tasks;
    }

    /** Adds a node that covers the given bytes of some tasks. */
    int node(int firstTask, int taskCount, long fromByte, long toByte) {
      if (nodes == first.length) {
        first = Arrays.copyOf(first, 2 * nodes);
        count = Arrays.copyOf(count, 2 * nodes);
        from = Arrays.copyOf(from, 2 * nodes);
        to = Arrays.copyOf(to, 2 * nodes);
      }
      first[nodes] = firstTask;
      count[nodes] = taskCount;
      from[nodes] = fromByte;
      to[nodes] = toByte;
      return nodes++;
    }

    /** Makes a node wait for another one; does nothing if {@code before} is negative. */
    void edge(int before, int after) {
      if (before < 0) {
        return;
      }
      if (edges == edgeFrom.length) {
        edgeFrom = Arrays.copyOf(edgeFrom, 2 * edges);
        edgeTo = Arrays.copyOf(edgeTo, 2 * edges);
      }
      edgeFrom[edges] = before;
      edgeTo[edges++] = after;
    }

    TaskGraph build() {
      tasks.trim();
      return new TaskGraph(this);
    }
  }
}
