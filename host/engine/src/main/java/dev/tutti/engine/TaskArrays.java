package dev.tutti.engine;

import dev.tutti.plan.ActionKind;
import dev.tutti.plan.RankPlan;
import java.util.Arrays;

/**
 * Data actions with their operands as numbers, in growing arrays. Shared by both ways to run a
 * plan.
 */
final class TaskArrays {

  /** What a task does; the values are dense for the interpreter's switch. */
  static final byte COPY = 0;

  static final byte REDUCE = 1;
  static final byte REDUCE_FROM = 2;

  /** The next {@code source} tasks are run tile by tile. */
  static final byte TILED = 3;

  /** Wait until list {@code dst} has published the number in {@code bytes}. */
  static final byte WAIT = 4;

  /** Publish the number in {@code bytes}. */
  static final byte PUBLISH = 5;

  /** Call back with rank {@code dst}. */
  static final byte CALL = 6;

  /** Begin to send the source to process {@code dst}, as message {@code dstOffset}. */
  static final byte SEND = 7;

  /**
   * Begin to receive from process {@code dst}, as message {@code dstOffset}, into the memory that
   * the source names.
   */
  static final byte RECEIVE = 8;

  /** Continue when message {@code dstOffset}, to or from process {@code dst}, is done. */
  static final byte AWAIT = 9;

  int size;
  byte[] op = new byte[8];
  byte[] kernel = new byte[8];
  int[] dst = new int[8];
  long[] dstOffset = new long[8];

  /** Slot of the source; number of sources of a REDUCE_FROM. */
  int[] source = new int[8];

  /** Offset of the source; index of the first of a REDUCE_FROM among the listed sources. */
  long[] sourceOffset = new long[8];

  long[] bytes = new long[8];

  /** Where a task comes from, for diagnoses: part and action. */
  int[] part = new int[8];

  int[] action = new int[8];

  int listedSize;
  int[] listedSlot = new int[0];
  long[] listedOffset = new long[0];

  private final MemorySlots slots;
  private final KernelTable kernels;

  TaskArrays(MemorySlots slots, KernelTable kernels) {
    this.slots = slots;
    this.kernels = kernels;
  }

  /** Empty arrays that share the listed sources of others, for tasks copied from there. */
  TaskArrays(TaskArrays from) {
    this(from.slots, from.kernels);
    listedSize = from.listedSize;
    listedSlot = from.listedSlot;
    listedOffset = from.listedOffset;
  }

  /** Empty arrays for tasks that are made from those of others. */
  static TaskArrays like(TaskArrays from) {
    return new TaskArrays(from.slots, from.kernels);
  }

  /**
   * As many tasks as a trimmed model has, of the same kinds; the positions of their spans are not
   * set.
   */
  static TaskArrays moved(TaskArrays model) {
    TaskArrays moved = like(model);
    moved.size = model.size;
    moved.op = model.op;
    moved.kernel = model.kernel;
    moved.dst = model.dst;
    moved.source = model.source;
    moved.part = model.part;
    moved.action = model.action;
    moved.listedSize = model.listedSize;
    moved.listedSlot = model.listedSlot;
    moved.dstOffset = new long[model.size];
    moved.sourceOffset = new long[model.size];
    moved.bytes = new long[model.size];
    moved.listedOffset = new long[model.listedSize];
    return moved;
  }

  /**
   * Replaces arrays that are equal to those of a model. Each of thousands of plans then has few
   * bytes of its own, which stay in the caches of a processor.
   */
  void shareEqual(TaskArrays model) {
    dstOffset = same(dstOffset, model.dstOffset);
    sourceOffset = same(sourceOffset, model.sourceOffset);
    bytes = same(bytes, model.bytes);
    listedOffset = same(listedOffset, model.listedOffset);
  }

  private static long[] same(long[] own, long[] ofModel) {
    return Arrays.equals(own, ofModel) ? ofModel : own;
  }

  /** Adds an empty task and returns its index. */
  int add(byte newOp, Frame.Part from, int ofAction) {
    return add(newOp, from.id, ofAction);
  }

  private int add(byte newOp, int partId, int ofAction) {
    if (size == op.length) {
      resize(2 * size);
    }
    op[size] = newOp;
    part[size] = partId;
    action[size] = ofAction;
    return size++;
  }

  private void resize(int length) {
    op = Arrays.copyOf(op, length);
    kernel = Arrays.copyOf(kernel, length);
    dst = Arrays.copyOf(dst, length);
    dstOffset = Arrays.copyOf(dstOffset, length);
    source = Arrays.copyOf(source, length);
    sourceOffset = Arrays.copyOf(sourceOffset, length);
    bytes = Arrays.copyOf(bytes, length);
    part = Arrays.copyOf(part, length);
    action = Arrays.copyOf(action, length);
  }

  /** Adds a data action of a plan and returns its index. */
  int addData(Frame.Part from, int ofAction) {
    RankPlan plan = from.plan;
    ActionKind kind = plan.kind(ofAction);
    int task =
        add(
            switch (kind) {
              case COPY -> COPY;
              case REDUCE -> REDUCE;
              default -> REDUCE_FROM;
            },
            from,
            ofAction);
    bytes[task] = plan.bytes(ofAction);
    long at = plan.dstOffset(ofAction);
    dst[task] = slots.of(plan.dstRank(ofAction), plan.dstType(ofAction), at, bytes[task]);
    dstOffset[task] = slots.offset(dst[task], at);
    slots.touch(dst[task], dstOffset[task] + bytes[task]);
    if (kind != ActionKind.COPY) {
      slots.compute(dst[task]);
      kernel[task] = kernels.index(plan, ofAction);
    }
    if (kind == ActionKind.REDUCE_FROM) {
      addListed(task, plan, ofAction);
    } else {
      at = plan.srcOffset(ofAction, 0);
      source[task] =
          slots.of(plan.srcRank(ofAction, 0), plan.srcType(ofAction, 0), at, bytes[task]);
      sourceOffset[task] = slots.offset(source[task], at);
      slots.touch(source[task], sourceOffset[task] + bytes[task]);
      if (kind == ActionKind.REDUCE) {
        slots.compute(source[task]);
      }
    }
    return task;
  }

  private void addListed(int task, RankPlan plan, int ofAction) {
    int count = plan.sourceCount(ofAction);
    int first = list(count);
    source[task] = count;
    sourceOffset[task] = first;
    for (int i = 0; i < count; i++) {
      long at = plan.srcOffset(ofAction, i);
      int listed = first + i;
      listedSlot[listed] =
          slots.of(plan.srcRank(ofAction, i), plan.srcType(ofAction, i), at, bytes[task]);
      listedOffset[listed] = slots.offset(listedSlot[listed], at);
      slots.compute(listedSlot[listed]);
      slots.touch(listedSlot[listed], listedOffset[listed] + bytes[task]);
    }
  }

  /**
   * Whether another slot may contain bytes of this slot, so that different slots need not mean
   * different bytes.
   */
  boolean isShared(int slot) {
    return slots.isShared(slot);
  }

  /** The memory of a slot, as one number for all slots that may share bytes. */
  int memory(int slot) {
    return slots.memory(slot);
  }

  /** Where a slot begins in its {@link #memory}. */
  long start(int slot) {
    return slots.start(slot);
  }

  /** The number of memories. */
  int slotCount() {
    return slots.count();
  }

  /** Whether only the plan sees the contents of a slot, and only within a run. */
  boolean isPrivate(int slot) {
    return slots.isPrivate(slot);
  }

  /** Whether reductions read or write a slot, so that it cannot be an array. */
  boolean computes(int slot) {
    return slots.computes(slot);
  }

  /** The rank that a slot's memory belongs to. */
  int rank(int slot) {
    return slots.rank(slot);
  }

  /** Makes a task read from another place. */
  void setSource(int task, int operand, int slot, long offset) {
    if (op[task] == REDUCE_FROM) {
      listedSlot[(int) sourceOffset[task] + operand] = slot;
      listedOffset[(int) sourceOffset[task] + operand] = offset;
    } else {
      source[task] = slot;
      sourceOffset[task] = offset;
    }
  }

  /** Removes all tasks. */
  void clear() {
    size = 0;
    listedSize = 0;
  }

  /** Removes the task that was added last. */
  void removeLast() {
    size--;
  }

  /** Bytes a task reads and writes. */
  long traffic(int task) {
    return switch (op[task]) {
      case COPY -> 2 * bytes[task];
      case REDUCE -> 3 * bytes[task];
      case REDUCE_FROM -> (1L + source[task]) * bytes[task];
      default -> 0;
    };
  }

  /** Makes the arrays as long as their contents. */
  void trim() {
    resize(size);
    listedSlot = Arrays.copyOf(listedSlot, listedSize);
    listedOffset = Arrays.copyOf(listedOffset, listedSize);
  }

  /**
   * Adds a copy of a task of other arrays, which must share their listed sources with these;
   * returns its index.
   */
  int addFrom(TaskArrays from, int task) {
    int here = add(from.op[task], from.part[task], from.action[task]);
    kernel[here] = from.kernel[task];
    dst[here] = from.dst[task];
    dstOffset[here] = from.dstOffset[task];
    source[here] = from.source[task];
    sourceOffset[here] = from.sourceOffset[task];
    bytes[here] = from.bytes[task];
    return here;
  }

  /** Adds an empty task that stands for a task of other arrays, and returns its index. */
  int add(byte newOp, TaskArrays from, int task) {
    return add(newOp, from.part[task], from.action[task]);
  }

  /**
   * Adds a part of the bytes of a data task of other arrays, with sources of its own, and returns
   * its index.
   */
  int addPart(TaskArrays from, int task, long shift, long partBytes) {
    int here = add(from.op[task], from, task);
    kernel[here] = from.kernel[task];
    dst[here] = from.dst[task];
    dstOffset[here] = from.dstOffset[task] + shift;
    source[here] = from.source[task];
    sourceOffset[here] = from.sourceOffset[task] + shift;
    bytes[here] = partBytes;
    if (op[here] == REDUCE_FROM) {
      int first = (int) from.sourceOffset[task];
      sourceOffset[here] = list(source[here]);
      for (int i = 0; i < source[here]; i++) {
        int listed = (int) sourceOffset[here] + i;
        listedSlot[listed] = from.listedSlot[first + i];
        listedOffset[listed] = from.listedOffset[first + i] + shift;
      }
    }
    return here;
  }

  /**
   * Makes the last task do the work of a task of other arrays, too, if that continues where it
   * ends; returns whether it does.
   */
  boolean join(TaskArrays from, int task) {
    int last = size - 1;
    if (last < 0
        || op[last] != from.op[task]
        || kernel[last] != from.kernel[task]
        || Tiling.sources(this, last) != Tiling.sources(from, task)) {
      return false;
    }
    for (int i = Tiling.RESULT; i < Tiling.sources(from, task); i++) {
      int slot = Tiling.slot(this, last, i);
      long offset = Tiling.offset(this, last, i);
      if (slot != Tiling.slot(from, task, i)
          || offset + bytes[last] != Tiling.offset(from, task, i)
          || (slot == dst[last] && offset != dstOffset[last])) {
        return false;
      }
    }
    bytes[last] += from.bytes[task];
    return true;
  }

  /** Makes room for listed sources and returns the index of the first. */
  private int list(int count) {
    int first = listedSize;
    if (first + count > listedSlot.length) {
      int length = Math.max(first + count, 2 * first);
      listedSlot = Arrays.copyOf(listedSlot, length);
      listedOffset = Arrays.copyOf(listedOffset, length);
    }
    listedSize += count;
    return first;
  }

  /** Adds a task with the origin of another one, for tasks without an action of their own. */
  int addBeside(TaskArrays from, int task, byte newOp) {
    int shown = Math.min(task, from.size - 1);
    return shown < 0 ? add(newOp, 0, -1) : add(newOp, from.part[shown], from.action[shown]);
  }
}
