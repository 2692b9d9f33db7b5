package dev.tutti.engine;

import dev.tutti.engine.machine.MachineModel;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/** Computes how long data tasks take under a machine model, and adds up their number and bytes. */
final class TaskTimes {

  /** An unknown worker, whose writes are not recorded. */
  static final int ANYBODY = -1;

  private final MachineModel machine;
  private final MachineModel.Level level;
  private final boolean streams;
  private final double foreignByte;
  private int tasks;
  private long bytes;

  /** The places that a block has touched so far: memory and offset in turn. */
  private long[] places = new long[16];

  private int placeCount;

  private final WrittenSpans written = new WrittenSpans();

  /** The worker that does the tasks now, the first byte, and the number of bytes of each. */
  private int worker = ANYBODY;

  private long shift;

  private long covered;

  /**
   * The times of a plan's tasks.
   *
   * @param touchedBytes all memory that the plan touches
   * @param streams whether results go past the caches
   * @param foreignByte the additional cost of reading a byte that another worker has written
   */
  TaskTimes(MachineModel machine, long touchedBytes, boolean streams, double foreignByte) {
    this.machine = machine;
    this.foreignByte = foreignByte;
    this.level = machine.at(touchedBytes);
    this.streams = streams;
  }

  /** Data tasks so far. */
  int tasks() {
    return tasks;
  }

  /** Bytes read and written so far. */
  long bytes() {
    return bytes;
  }

  /**
   * Nanoseconds of neighbouring tasks.
   *
   * @param from the first byte of each that is covered
   * @param to the byte after the last one
   * @param doer the worker that does them, after all tasks of earlier calls, or {@link #ANYBODY}
   */
  double nanos(TaskArrays array, int first, int count, long from, long to, int doer) {
    placeCount = 0;
    worker = doer;
    shift = from;
    covered = to - from;
    double nanos = 0;
    double writtenByte = writtenByte(array, first, count);
    for (int task = first; task < first + count; task++) {
      nanos += fixed(array, task) + covered * perByte(array, task, writtenByte);
      bytes += covered * accesses(array, task);
    }
    for (int task = first; task < first + count && worker != ANYBODY; task++) {
      written.write(array.dst[task], array.dstOffset[task] + shift, covered, worker);
    }
    tasks += count;
    return nanos;
  }

  private double fixed(TaskArrays array, int task) {
    boolean isCopy = array.op[task] == TaskArrays.COPY;
    return machine.task() + (isCopy ? 0 : Tiling.sources(array, task) * machine.operand());
  }

  private double writtenByte(TaskArrays array, int first, int count) {
    boolean isStreamed =
        streams
            && array.op[first] != TaskArrays.REDUCE
            && (count > 1 ? Tiling.mayStream(array, first, count) : covered >= Tiling.MIN_STREAMED);
    return isStreamed ? machine.streamedByte() : level.writtenByte();
  }

  /** How often a task reads or writes each of its bytes. */
  private static int accesses(TaskArrays array, int task) {
    return 1 + Tiling.sources(array, task) + (array.op[task] == TaskArrays.REDUCE ? 1 : 0);
  }

  private double perByte(TaskArrays array, int task, double writtenByte) {
    double nanos = 0;
    int operands = Tiling.sources(array, task);
    for (int i = 0; i < operands; i++) {
      nanos += touch(array, task, i, readByte(array, task, i));
    }
    if (array.op[task] == TaskArrays.REDUCE) {
      double read = readByte(array, task, Tiling.RESULT);
      nanos += touch(array, task, Tiling.RESULT, read) + machine.reducedByte();
    } else {
      nanos += (operands - 1) * machine.reducedByte();
    }
    return nanos + touch(array, task, Tiling.RESULT, writtenByte);
  }

  /**
   * The cost of reading a byte that the block has not touched; higher if another worker wrote it.
   */
  private double readByte(TaskArrays array, int task, int operand) {
    if (worker == ANYBODY || covered == 0) {
      return level.readByte();
    }
    int slot = Tiling.slot(array, task, operand);
    long offset = Tiling.offset(array, task, operand) + shift;
    double foreign = written.foreignBytes(slot, offset, covered, worker);
    return level.readByte() + foreignByte * foreign / covered;
  }

  /** The cost of an operand per byte, which is lower if the block has touched it before. */
  private double touch(TaskArrays array, int task, int operand, double cold) {
    long slot = Tiling.slot(array, task, operand);
    long offset = Tiling.offset(array, task, operand);
    for (int i = 0; i < placeCount; i += 2) {
      if (places[i] == slot && places[i + 1] == offset) {
        return machine.warmByte();
      }
    }
    if (placeCount == places.length) {
      places = Arrays.copyOf(places, 2 * placeCount);
    }
    places[placeCount++] = slot;
    places[placeCount++] = offset;
    return cold;
  }

  /** The spans that workers have written so far in a run. */
  private static final class WrittenSpans {

    private final Map<Integer, TreeMap<Long, Span>> bySlot = new HashMap<>();

    private record Span(long end, int worker) {}

    /**
     * Records a span that a worker writes, instead of an earlier one that begins at the same place.
     */
    void write(int slot, long offset, long bytes, int worker) {
      bySlot
          .computeIfAbsent(slot, key -> new TreeMap<>())
          .put(offset, new Span(offset + bytes, worker));
    }

    /** How many bytes of a span another worker has written. */
    long foreignBytes(int slot, long offset, long bytes, int worker) {
      TreeMap<Long, Span> spans = bySlot.get(slot);
      if (spans == null) {
        return 0;
      }
      long end = offset + bytes;
      Long before = spans.floorKey(offset);
      long foreign = 0;
      for (var entry : spans.subMap(before == null ? offset : before, end).entrySet()) {
        Span span = entry.getValue();
        long common = Math.min(end, span.end) - Math.max(offset, entry.getKey());
        foreign += span.worker == worker ? 0 : Math.max(0, common);
      }
      return Math.min(bytes, foreign);
    }
  }
}
