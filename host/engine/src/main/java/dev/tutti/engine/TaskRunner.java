package dev.tutti.engine;

import dev.tutti.base.idle.Clock;
import dev.tutti.engine.kernel.GuardedCopy;
import dev.tutti.engine.kernel.Kernels;
import dev.tutti.engine.kernel.ReduceKernel;
import dev.tutti.engine.kernel.StreamingCopy;
import dev.tutti.engine.kernel.StreamingSum;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Runs data tasks of one set of arrays on bound memory. One thread at a time may use it: it keeps
 * memory for one tile.
 */
class TaskRunner {

  private final TaskArrays tasks;
  private final ReduceKernel[] kernels;
  private final MemorySegment[] slots;

  /** The memory of each listed source. */
  private final MemorySegment[] listed;

  /** The memories of a streaming sum, and the offsets in them; those that are not used are NULL. */
  private final MemorySegment[] memories = new MemorySegment[StreamingSum.MOST];

  private final long[] offsets = new long[StreamingSum.MOST];

  /** Holds one tile of a result that is on its way past the caches; null if nothing streams. */
  private final @Nullable MemorySegment staging;

  /** Whether pages of a memory can vanish: then nothing streams, and every copy is guarded. */
  private boolean isGuarded;

  /** Whether this run takes the tiles of its tasks from the last to the first. */
  private boolean isBackward;

  /**
   * A runner for bound memory.
   *
   * @param streams whether the run is larger than the caches, so that results go past them
   */
  TaskRunner(TaskArrays tasks, ReduceKernel[] kernels, MemorySegment[] slots, boolean streams) {
    this.tasks = tasks;
    this.kernels = kernels;
    this.slots = slots;
    this.listed = new MemorySegment[tasks.listedSize];
    this.staging =
        streams && StreamingCopy.isAvailable()
            ? Arena.ofAuto().allocate(Tiling.STREAMED_TILE, Tiling.PAGE)
            : null;
    Arrays.fill(memories, MemorySegment.NULL);
    rebind();
  }

  /** Reads the segments that the slots hold now. */
  final void rebind() {
    for (int i = 0; i < listed.length; i++) {
      listed[i] = slots[tasks.listedSlot[i]];
    }
  }

  /** Sets whether pages of a memory that is copied can vanish. */
  final void guard(boolean newIsGuarded) {
    isGuarded = newIsGuarded;
  }

  /**
   * Makes the next run take the tiles of its tasks in the opposite order. It then begins with the
   * bytes with which the previous run has ended, and which may still be in the caches.
   */
  final void turn() {
    isBackward = !isBackward;
  }

  /** Runs one task whole. */
  void run(int task) {
    run(task, 0, tasks.bytes[task]);
  }

  /** Runs one task on a part of its bytes. */
  void run(int task, long shift, long bytes) {
    MemorySegment tile = isGuarded ? null : staging;
    if (tile != null && bytes >= Tiling.MIN_STREAMED && tasks.op[task] != TaskArrays.REDUCE) {
      stream(task, 1, shift, shift + bytes, tile);
    } else if (bytes > Tiling.TILE && isBackward) {
      runTiles(task, 1, shift, shift + bytes);
    } else {
      run(task, slots[tasks.dst[task]], tasks.dstOffset[task] + shift, shift, bytes);
    }
  }

  /** Runs some neighbouring tasks on a part of their bytes, tile by tile. */
  void runTiled(int first, int count, long from, long to) {
    MemorySegment tile = isGuarded ? null : staging;
    if (tile != null && Tiling.isFanOut(tasks, first, count)) {
      stream(first, count, from, to, tile);
      return;
    }
    if (tile != null && Tiling.isIndependent(tasks, first, count)) {
      for (long start = from; start < to; start += Tiling.STREAMED_TILE) {
        for (int task = first; task < first + count; task++) {
          stream(task, 1, start, Math.min(start + Tiling.STREAMED_TILE, to), tile);
        }
      }
      return;
    }
    runTiles(first, count, from, to);
  }

  private void runTiles(int first, int count, long from, long to) {
    for (long done = 0; done < to - from; done += Tiling.TILE) {
      long bytes = Math.min(Tiling.TILE, to - from - done);
      long start = isBackward ? to - done - bytes : from + done;
      for (int task = first; task < first + count; task++) {
        run(task, slots[tasks.dst[task]], tasks.dstOffset[task] + start, start, bytes);
      }
    }
  }

  /**
   * Makes each tile of the first task's result in the staging memory, and streams it from there to
   * the destinations of all tasks. A sum of a few sources goes to the destinations directly.
   */
  private void stream(int first, int count, long from, long to, MemorySegment tile) {
    if (streamSum(first, count, from, to)) {
      return;
    }
    TaskArrays t = tasks;
    boolean isCopy = t.op[first] == TaskArrays.COPY;
    for (long start = from; start < to; start += Tiling.STREAMED_TILE) {
      long bytes = Math.min(Tiling.STREAMED_TILE, to - start);
      MemorySegment result = isCopy ? slots[t.source[first]] : tile;
      long resultOffset = isCopy ? t.sourceOffset[first] + start : 0;
      if (!isCopy) {
        run(first, tile, 0, start, bytes);
      }
      for (int task = first; task < first + count; task++) {
        StreamingCopy.copy(
            slots[t.dst[task]], t.dstOffset[task] + start, result, resultOffset, bytes);
      }
    }
  }

  /**
   * Adds a few sources and streams the sums to all places at once.
   *
   * @return whether the tasks do this, and their places allow streaming
   */
  private boolean streamSum(int first, int count, long from, long to) {
    TaskArrays t = tasks;
    if (t.op[first] != TaskArrays.REDUCE_FROM || t.source[first] < 2) {
      return false;
    }
    int sources = t.source[first];
    StreamingSum sum = kernels[t.kernel[first]].streamingSum(sources, count);
    int head = sum == null ? -1 : head(sum, first, count, from);
    if (sum == null || head < 0) {
      return false;
    }
    long end = from + head + ((to - from - head) & -StreamingSum.BLOCK);
    sumEdge(first, count, from, head);
    try {
      for (long at = from + head; at < end; at += Tiling.STREAMED_TILE) {
        gather(first, count, at);
        sum.sum(memories, offsets, Math.min(Tiling.STREAMED_TILE, end - at));
      }
    } finally {
      Arrays.fill(memories, MemorySegment.NULL);
    }
    sumEdge(first, count, end, to - end);
    return true;
  }

  /** The bytes before the first place where all results can bypass the caches; -1 for none. */
  private int head(StreamingSum sum, int first, int count, long from) {
    int head = sum.head(slots[tasks.dst[first]], tasks.dstOffset[first] + from);
    for (int task = first + 1; task < first + count; task++) {
      if (sum.head(slots[tasks.dst[task]], tasks.dstOffset[task] + from) != head) {
        return -1;
      }
    }
    return head;
  }

  /** Collects the sources of a reduction and the places of its result, for a streaming sum. */
  private void gather(int first, int count, long at) {
    TaskArrays t = tasks;
    int listedFrom = (int) t.sourceOffset[first];
    int sources = t.source[first];
    for (int source = 0; source < sources; source++) {
      memories[source] = listed[listedFrom + source];
      offsets[source] = t.listedOffset[listedFrom + source] + at;
    }
    for (int i = 0; i < count; i++) {
      memories[sources + i] = slots[t.dst[first + i]];
      offsets[sources + i] = t.dstOffset[first + i] + at;
    }
  }

  /** Handles a few bytes before and after the streamed ones. */
  private void sumEdge(int first, int count, long from, long bytes) {
    MemorySegment dst = slots[tasks.dst[first]];
    long at = tasks.dstOffset[first] + from;
    run(first, dst, at, from, bytes);
    for (int task = first + 1; task < first + count; task++) {
      Kernels.copy(slots[tasks.dst[task]], tasks.dstOffset[task] + from, dst, at, bytes);
    }
  }

  /** Runs a task on a part of its bytes, with its result at a given place. */
  private void run(int task, MemorySegment dst, long dstOffset, long shift, long bytes) {
    TaskArrays t = tasks;
    switch (t.op[task]) {
      case TaskArrays.COPY -> {
        MemorySegment source = slots[t.source[task]];
        long sourceOffset = t.sourceOffset[task] + shift;
        if (isGuarded) {
          GuardedCopy.copy(dst, dstOffset, source, sourceOffset, bytes);
        } else {
          Kernels.copy(dst, dstOffset, source, sourceOffset, bytes);
        }
      }
      case TaskArrays.REDUCE ->
          kernels[t.kernel[task]].reduce(
              dst, dstOffset, slots[t.source[task]], t.sourceOffset[task] + shift, bytes);
      default ->
          kernels[t.kernel[task]].reduceFrom(
              dst,
              dstOffset,
              listed,
              t.listedOffset,
              (int) t.sourceOffset[task],
              t.source[task],
              shift,
              bytes);
    }
  }

  /**
   * Records when tasks begin and end. The JVM loads this class for the first traced run; until
   * then, calls of runners have a single target.
   */
  static final class Traced extends TaskRunner {

    private final TaskArrays tasks;
    private final Clock clock;
    private int size;
    private int[] first = new int[16];
    private int[] count = new int[16];
    private long[] begin = new long[16];
    private long[] end = new long[16];
    private String[] thread = new String[16];

    Traced(
        TaskArrays tasks,
        ReduceKernel[] kernels,
        MemorySegment[] slots,
        boolean streams,
        Clock clock) {
      super(tasks, kernels, slots, streams);
      this.tasks = tasks;
      this.clock = clock;
    }

    @Override
    void run(int task, long shift, long bytes) {
      long start = clock.nanoTime();
      super.run(task, shift, bytes);
      note(task, 1, start);
    }

    @Override
    void runTiled(int firstTask, int tasks, long from, long to) {
      long start = clock.nanoTime();
      super.runTiled(firstTask, tasks, from, to);
      note(firstTask, tasks, start);
    }

    /**
     * Adds the tasks that have just run; the next piece of the same tasks continues the previous
     * one.
     */
    private void note(int firstTask, int taskCount, long start) {
      boolean isNext = size == 0 || first[size - 1] != firstTask;
      if (isNext && size == first.length) {
        first = Arrays.copyOf(first, 2 * size);
        count = Arrays.copyOf(count, 2 * size);
        begin = Arrays.copyOf(begin, 2 * size);
        end = Arrays.copyOf(end, 2 * size);
        thread = Arrays.copyOf(thread, 2 * size);
      }
      if (isNext) {
        first[size] = firstTask;
        count[size] = taskCount;
        begin[size++] = start;
      }
      thread[size - 1] = Thread.currentThread().getName();
      end[size - 1] = clock.nanoTime();
    }

    /**
     * Adds the recorded tasks to a trace.
     *
     * @param list the number of the list or worker
     */
    void noteIn(TraceBuilder trace, int list) {
      for (int i = 0; i < size; i++) {
        trace.note(tasks, first[i], count[i], list, thread[i], begin[i], end[i]);
      }
    }
  }
}
