package dev.tutti.engine;

/**
 * Decides which neighbouring tasks may run tile by tile instead of one after another: bytes that
 * the next task touches again are then still in the first-level cache. So a reduction that is
 * pushed to several peers takes one pass over memory, and an input that several ranks read is
 * loaded once.
 *
 * <p>Tiling a block of tasks gives the same result if all move the same number of bytes, and any
 * two spans of one memory that the block touches are the same span or disjoint: then tile i of one
 * task overlaps only tile i of the others.
 */
final class Tiling {

  /**
   * Bytes of one tile: small compared with a first-level cache, large compared with the cost of a
   * call.
   */
  static final int TILE = 16 << 10;

  /** Bytes of one tile on its way past the caches: it fits in a second-level cache. */
  static final int STREAMED_TILE = 128 << 10;

  /** Bytes below which a task does not go past the caches. */
  static final int MIN_STREAMED = 256 << 10;

  static final int PAGE = 4096;

  /** The number of the result among the operands of a task; sources count from 0. */
  static final int RESULT = -1;

  private static final int MAX_TASKS = 64;

  private Tiling() {}

  /** Whether the task {@code first + count} may join the block of the {@code count} before it. */
  static boolean joins(TaskArrays tasks, int first, int count) {
    int candidate = first + count;
    if (count >= MAX_TASKS
        || candidate >= tasks.size
        || !isData(tasks.op[first])
        || !isData(tasks.op[candidate])
        || tasks.bytes[candidate] != tasks.bytes[first]
        || tasks.bytes[first] <= TILE
        || !sharesSpan(tasks, first, count, candidate)) {
      return false;
    }
    for (int task = first; task < candidate; task++) {
      if (!compatible(tasks, task, candidate)) {
        return false;
      }
    }
    return true;
  }

  /**
   * Whether a block copies one result to further places: the result of the first task, or the
   * source that the first task copies.
   */
  static boolean isFanOut(TaskArrays tasks, int first, int count) {
    if (tasks.op[first] == TaskArrays.REDUCE) {
      return false;
    }
    for (int task = first + 1; task < first + count; task++) {
      if (tasks.op[task] != TaskArrays.COPY
          || !(isSame(tasks, task, 0, first, RESULT)
              || (tasks.op[first] == TaskArrays.COPY && isSame(tasks, task, 0, first, 0)))) {
        return false;
      }
    }
    return true;
  }

  /** Whether the results of a block, or of one task, may go past the caches tile by tile. */
  static boolean mayStream(TaskArrays tasks, int first, int count) {
    return isFanOut(tasks, first, count) || isIndependent(tasks, first, count);
  }

  /** Whether no task of a block reads or writes what another one before it has written. */
  static boolean isIndependent(TaskArrays tasks, int first, int count) {
    for (int task = first; task < first + count; task++) {
      if (tasks.op[task] == TaskArrays.REDUCE) {
        return false;
      }
      for (int before = first; before < task; before++) {
        if (Spans.touches(tasks, task, before, RESULT)) {
          return false;
        }
      }
    }
    return true;
  }

  private static boolean isSame(TaskArrays tasks, int a, int operandA, int b, int operandB) {
    return Spans.relate(tasks, a, operandA, b, operandB) == Spans.Relation.SAME;
  }

  static boolean isData(byte op) {
    return op <= TaskArrays.REDUCE_FROM;
  }

  /** Whether tiling pays: the candidate touches a span that the block touches too. */
  private static boolean sharesSpan(TaskArrays tasks, int first, int count, int candidate) {
    for (int task = first; task < first + count; task++) {
      for (int operand = RESULT; operand < sources(tasks, task); operand++) {
        for (int i = RESULT; i < sources(tasks, candidate); i++) {
          if (isSame(tasks, task, operand, candidate, i)) {
            return true;
          }
        }
      }
    }
    return false;
  }

  private static boolean compatible(TaskArrays tasks, int a, int b) {
    for (int i = RESULT; i < sources(tasks, a); i++) {
      if (tasks.isShared(slot(tasks, a, i))) {
        return false;
      }
      for (int j = RESULT; j < sources(tasks, b); j++) {
        if (Spans.relate(tasks, a, i, b, j) == Spans.Relation.PARTLY) {
          return false;
        }
      }
    }
    return true;
  }

  /** The number of sources of a task, without the memory that it reduces into. */
  static int sources(TaskArrays tasks, int task) {
    return tasks.op[task] == TaskArrays.REDUCE_FROM ? tasks.source[task] : 1;
  }

  /** The memory of an operand. */
  static int slot(TaskArrays tasks, int task, int operand) {
    if (operand == RESULT) {
      return tasks.dst[task];
    }
    return tasks.op[task] == TaskArrays.REDUCE_FROM
        ? tasks.listedSlot[(int) tasks.sourceOffset[task] + operand]
        : tasks.source[task];
  }

  /** Where an operand begins in its memory. */
  static long offset(TaskArrays tasks, int task, int operand) {
    if (operand == RESULT) {
      return tasks.dstOffset[task];
    }
    return tasks.op[task] == TaskArrays.REDUCE_FROM
        ? tasks.listedOffset[(int) tasks.sourceOffset[task] + operand]
        : tasks.sourceOffset[task];
  }
}
