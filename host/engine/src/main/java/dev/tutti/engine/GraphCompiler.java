package dev.tutti.engine;

import dev.tutti.engine.CompiledPlan.SignalCount;
import java.util.Arrays;

/**
 * Compiles a plan to a {@link TaskGraph}. Neighbouring actions that tile well become one node, and
 * a node of many bytes is cut into pieces that several workers can take.
 */
final class GraphCompiler implements Unroller.Sink {

  private static final int NONE = -1;
  private static final long MIN_PIECE = 128 << 10;

  /** Tasks of fewer bytes are not cut. */
  static final long MIN_CUT = 2 * MIN_PIECE;

  private static final long PIECE_ALIGNMENT = 4096;

  private final TaskArrays tasks;
  private final TaskGraph.Builder graph;
  private final int pieces;
  private final boolean calls;
  private long awaits;
  private long waits;

  private int streams;
  private int[] streamRank = new int[16];

  /** The last node of each stream so far, or NONE. */
  private int[] last = new int[16];

  /** The block of tasks that is still growing, and the stream it belongs to. */
  private int blockStream = NONE;

  private int blockFirst;
  private int blockCount;

  GraphCompiler(int workers, boolean calls, MemorySlots slots, KernelTable kernels) {
    this.tasks = new TaskArrays(slots, kernels);
    this.graph = new TaskGraph.Builder(tasks);
    this.pieces = workers == 1 ? 1 : 4 * workers;
    this.calls = calls;
  }

  @Override
  public int openStream(int rank, int parentStream) {
    flush();
    if (streams == last.length) {
      last = Arrays.copyOf(last, 2 * streams);
      streamRank = Arrays.copyOf(streamRank, 2 * streams);
    }
    streamRank[streams] = parentStream < 0 ? rank : NONE;
    last[streams] = parentStream < 0 ? NONE : last[parentStream];
    return streams++;
  }

  @Override
  public void closeStream(int stream, int parentStream) {
    flush();
    join(parentStream, last[stream]);
  }

  @Override
  public void data(int stream, Frame.Part from, int action) {
    if (stream != blockStream) {
      flush();
    }
    int task = tasks.addData(from, action);
    if (blockStream == stream && Tiling.joins(tasks, blockFirst, blockCount)) {
      blockCount++;
      return;
    }
    flush();
    blockStream = stream;
    blockFirst = task;
    blockCount = 1;
  }

  @Override
  public int post(int stream, Frame.Part from, int action) {
    flush();
    return last[stream] + 1;
  }

  @Override
  public void await(int stream, Frame.Part from, int action, int event) {
    awaits++;
    flush();
    waits += join(stream, event - 1) ? 1 : 0;
  }

  /** Turns the growing block into nodes. */
  private void flush() {
    if (blockStream == NONE) {
      return;
    }
    int stream = blockStream;
    blockStream = NONE;
    long bytes = tasks.bytes[blockFirst];
    long piece = Math.max(MIN_PIECE, (bytes / pieces + PIECE_ALIGNMENT) & -PIECE_ALIGNMENT);
    if (pieces == 1 || bytes < 2 * piece) {
      last[stream] = after(last[stream], graph.node(blockFirst, blockCount, 0, bytes));
      return;
    }
    int before = last[stream];
    int[] made = new int[(int) ((bytes + piece - 1) / piece)];
    for (int i = 0; i < made.length; i++) {
      long start = i * piece;
      made[i] =
          after(before, graph.node(blockFirst, blockCount, start, Math.min(bytes, start + piece)));
    }
    int joint = graph.node(blockFirst, 0, 0, 0);
    for (int node : made) {
      graph.edge(node, joint);
    }
    last[stream] = joint;
  }

  private int after(int before, int node) {
    graph.edge(before, node);
    return node;
  }

  /** Makes a stream wait for another node too; false if it already did. */
  private boolean join(int stream, int node) {
    if (node == NONE || node == last[stream]) {
      return false;
    }
    if (last[stream] == NONE) {
      last[stream] = node;
      return true;
    }
    int joint = graph.node(0, 0, 0, 0);
    graph.edge(last[stream], joint);
    graph.edge(node, joint);
    last[stream] = joint;
    return true;
  }

  /** The number of awaits, and of those that made a stream wait. */
  SignalCount signals() {
    return new SignalCount(awaits, waits);
  }

  /**
   * The finished graph; with callbacks, it has one node for each rank after all streams of the
   * rank.
   */
  TaskGraph finish(int rankSize, Frame root) {
    flush();
    if (calls) {
      int[] call = new int[rankSize];
      for (int rank = 0; rank < rankSize; rank++) {
        int task = tasks.add(TaskArrays.CALL, root.part(rank), -1);
        tasks.dst[task] = rank;
        call[rank] = graph.node(task, 1, 0, 0);
      }
      for (int stream = 0; stream < streams; stream++) {
        if (streamRank[stream] >= 0) {
          graph.edge(last[stream], call[streamRank[stream]]);
        }
      }
    }
    return graph.build();
  }
}
