package dev.tutti.host.engine;

import dev.tutti.host.kernel.Kernels;
import dev.tutti.host.kernel.ReduceKernel;
import java.lang.foreign.MemorySegment;

/**
 * Runs data tasks of one set of arrays on bound memory. Holds no state of a run; any number of
 * threads may use it.
 */
final class TaskRunner {

  private final TaskArrays tasks;
  private final ReduceKernel[] kernels;
  private final MemorySegment[] slots;

  /** The memory of each listed source. */
  private final MemorySegment[] listed;

  TaskRunner(TaskArrays tasks, ReduceKernel[] kernels, MemorySegment[] slots) {
    this.tasks = tasks;
    this.kernels = kernels;
    this.slots = slots;
    this.listed = new MemorySegment[tasks.listedSize];
    rebind();
  }

  /** Takes over the segments that the slots hold now. */
  void rebind() {
    for (int i = 0; i < listed.length; i++) {
      listed[i] = slots[tasks.listedSlot[i]];
    }
  }

  /** Runs one task whole. */
  void run(int task) {
    run(task, 0, tasks.bytes[task]);
  }

  /** Runs some neighbouring tasks on a part of their bytes, tile by tile. */
  void runTiled(int first, int count, long from, long to) {
    for (long start = from; start < to; start += Tiling.TILE) {
      long bytes = Math.min(Tiling.TILE, to - start);
      for (int task = first; task < first + count; task++) {
        run(task, start, bytes);
      }
    }
  }

  /** Runs a task on a part of its bytes. */
  void run(int task, long shift, long bytes) {
    TaskArrays t = tasks;
    MemorySegment dst = slots[t.dst[task]];
    long dstOffset = t.dstOffset[task] + shift;
    switch (t.op[task]) {
      case TaskArrays.COPY ->
          Kernels.copy(
              dst, dstOffset, slots[t.source[task]], t.sourceOffset[task] + shift, bytes);
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
}
