package dev.tutti.engine;

/** The relative positions of the operands of tasks. */
final class Spans {

  private Spans() {}

  /** The possible relative positions of two spans. */
  enum Relation {
    DISJOINT,
    SAME,
    PARTLY
  }

  /**
   * The position of an operand of a task relative to one of another task.
   *
   * @param operandA its number, from 0, or {@link Tiling#RESULT}
   */
  static Relation relate(TaskArrays tasks, int a, int operandA, int b, int operandB) {
    if (Tiling.slot(tasks, a, operandA) != Tiling.slot(tasks, b, operandB)) {
      return Relation.DISJOINT;
    }
    long distance = Tiling.offset(tasks, b, operandB) - Tiling.offset(tasks, a, operandA);
    if (distance == 0 && tasks.bytes[a] == tasks.bytes[b]) {
      return Relation.SAME;
    }
    boolean isApart = distance >= tasks.bytes[a] || -distance >= tasks.bytes[b];
    return isApart ? Relation.DISJOINT : Relation.PARTLY;
  }

  /** Whether a task reads or writes bytes of an operand of another one. */
  static boolean touches(TaskArrays tasks, int task, int of, int operand) {
    for (int i = Tiling.RESULT; i < Tiling.sources(tasks, task); i++) {
      if (relate(tasks, task, i, of, operand) != Relation.DISJOINT) {
        return true;
      }
    }
    return false;
  }

  /** Whether a task writes bytes of an operand of another one. */
  static boolean writes(TaskArrays tasks, int task, int of, int operand) {
    return relate(tasks, task, Tiling.RESULT, of, operand) != Relation.DISJOINT;
  }

  /** Whether two tasks touch the same bytes, and one of them writes them. */
  static boolean conflict(TaskArrays tasks, int a, int b) {
    return writesTo(tasks, a, b) || writesTo(tasks, b, a);
  }

  private static boolean writesTo(TaskArrays tasks, int task, int of) {
    int slot = tasks.dst[task];
    int memory = tasks.memory(slot);
    long from = tasks.start(slot) + tasks.dstOffset[task];
    long to = from + tasks.bytes[task];
    for (int i = Tiling.RESULT; i < Tiling.sources(tasks, of); i++) {
      int other = Tiling.slot(tasks, of, i);
      if (tasks.memory(other) == memory) {
        long start = tasks.start(other) + Tiling.offset(tasks, of, i);
        if (start < to && from < start + tasks.bytes[of]) {
          return true;
        }
      }
    }
    return false;
  }
}
