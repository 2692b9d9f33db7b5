package dev.tutti.engine;

import dev.tutti.engine.Spans.Relation;
import dev.tutti.plan.work.Work;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.IntPredicate;

/**
 * Removes copies in a list that only pass a result on: a task that reads a copy reads its source
 * instead, and a reduction whose result is copied writes directly to the destination of the copy.
 * Plans are written for memories that are far from each other; here all ranks' memories are equally
 * near.
 *
 * <p>It examines neighbouring tasks between which the list publishes nothing and waits for nothing.
 * So they can read memory later, or write it sooner, than in the plan, if no other list may touch
 * it meanwhile.
 */
final class Forwarding {

  /*
   * Task t writes span S. The result of t is dead if it is overwritten before the list publishes
   * anything, or if S is private to the group, no other list reads that memory, and after the
   * neighbours this list does not read S before it is overwritten. Then:
   *
   *   t: S = copy X        t is dropped, and readers of S read X, which must not be overwritten
   *   u: A = f(S, ...)     before that: u: A = f(X, ...)
   *
   *   t: S = f(...)        t writes D, readers of S read D, and the copy is dropped: t: D = f(...)
   *   c: D = copy S        and u: A = g(D, ...). No task may touch D between t and c, or overwrite
   *   u: A = g(S, ...)     D between c and the last reader of S.
   *
   * If two spans overlap in part, nothing is done. No task is made to compute in a memory that the
   * plan only copies to and from, because that may be an array.
   */

  /** The number of tasks that are examined as neighbours. */
  private static final int WINDOW = 64;

  /** The number of tasks ahead in which to search for the next read or overwrite of a span. */
  private static final int LOOKAHEAD = 1024;

  /** The number of tasks after which to tell the progress. */
  private static final int TASKS_OF_STEP = 1 << 14;

  private static final int NONE = -1;

  private final int list;
  private final TaskArrays tasks;
  private final BitSet published;
  private final ReadCounts reads;
  private final IntPredicate isPrivate;
  private final BitSet dropped = new BitSet();

  /** The tasks that read the result of the current one, in order. */
  private final List<Integer> readers = new ArrayList<>();

  /** How many operands of each list are read from each memory. */
  static final class ReadCounts {

    private final int[][] counts;

    /** Counts what the tasks of each list read. */
    ReadCounts(TaskArrays[] lists) {
      this.counts = new int[lists.length][lists[0].slotCount()];
      for (int list = 0; list < lists.length; list++) {
        for (int task = 0; task < lists[list].size; task++) {
          if (Tiling.isData(lists[list].op[task])) {
            addAll(list, lists[list], task);
          }
        }
      }
    }

    private void addAll(int list, TaskArrays tasks, int task) {
      for (int i = 0; i < Tiling.sources(tasks, task); i++) {
        add(list, Tiling.slot(tasks, task, i));
      }
      if (tasks.op[task] == TaskArrays.REDUCE) {
        add(list, tasks.dst[task]);
      }
    }

    void add(int list, int slot) {
      counts[list][slot]++;
    }

    void remove(int list, int slot) {
      counts[list][slot]--;
    }

    /** Whether any list reads a memory. */
    boolean isRead(int slot) {
      return counts[0][slot] > 0 || isReadByOthers(0, slot);
    }

    /** Whether a list other than this one reads a memory. */
    boolean isReadByOthers(int list, int slot) {
      for (int other = 0; other < counts.length; other++) {
        if (other != list && counts[other][slot] > 0) {
          return true;
        }
      }
      return false;
    }
  }

  private Forwarding(
      int list, TaskArrays tasks, BitSet published, ReadCounts reads, IntPredicate isPrivate) {
    this.list = list;
    this.tasks = tasks;
    this.published = published;
    this.reads = reads;
    this.isPrivate = isPrivate;
  }

  /**
   * Removes copies in a list.
   *
   * @param list its number
   * @param tasks its tasks; changed
   * @param published the tasks before which the list publishes its progress
   * @param reads what all lists read; kept up to date
   * @param isPrivate whether nobody reads a memory after the lists have ended
   * @return the tasks that are not needed any more
   */
  static BitSet run(
      int list, TaskArrays tasks, BitSet published, ReadCounts reads, IntPredicate isPrivate) {
    Forwarding forwarding = new Forwarding(list, tasks, published, reads, isPrivate);
    try (Work work = Work.begin("compiling", tasks.size / TASKS_OF_STEP + 1)) {
      for (int task = 0; task + 1 < tasks.size; task++) {
        if (Tiling.isData(tasks.op[task]) && reads.isRead(tasks.dst[task])) {
          forwarding.look(task);
        }
        if (task % TASKS_OF_STEP == TASKS_OF_STEP - 1) {
          work.step();
        }
      }
    }
    return forwarding.dropped;
  }

  private void look(int task) {
    if (dropped.get(task)
        || tasks.op[task] == TaskArrays.REDUCE
        || tasks.isShared(tasks.dst[task])
        || !isForgotten(task)) {
      return;
    }
    if (tasks.op[task] == TaskArrays.COPY) {
      readSource(task);
    } else {
      writeWhereCopied(task);
    }
  }

  /** The first task after the neighbours of a task. */
  private int end(int task) {
    int end = task + 1;
    int last = Math.min(tasks.size, task + WINDOW);
    while (end < last && Tiling.isData(tasks.op[end]) && !published.get(end)) {
      end++;
    }
    return end;
  }

  /** Finds the tasks that read a task's result; true if no other tasks read it. */
  private boolean isForgotten(int task) {
    readers.clear();
    boolean isOwn = isPrivate.test(tasks.dst[task]) && !reads.isReadByOthers(list, tasks.dst[task]);
    int neighbours = end(task);
    int end = isOwn ? Math.min(tasks.size, task + LOOKAHEAD) : neighbours;
    for (int next = task + 1; next < end; next++) {
      if (dropped.get(next) || !Tiling.isData(tasks.op[next])) {
        continue;
      }
      int operands = readsWhole(next, task);
      Relation written = Spans.relate(tasks, next, Tiling.RESULT, task, Tiling.RESULT);
      boolean isAdded = tasks.op[next] == TaskArrays.REDUCE && written != Relation.DISJOINT;
      boolean isLate = operands > 0 && next >= neighbours;
      if (operands < 0 || written == Relation.PARTLY || isAdded || isLate) {
        return false;
      }
      if (operands > 0) {
        readers.add(next);
      }
      if (written == Relation.SAME) {
        return true;
      }
    }
    return isOwn && end == tasks.size;
  }

  /**
   * The number of operands of a task that are the result of another one; negative if an operand
   * overlaps it in part.
   */
  private int readsWhole(int reader, int task) {
    int operands = 0;
    for (int i = 0; i < Tiling.sources(tasks, reader); i++) {
      switch (Spans.relate(tasks, reader, i, task, Tiling.RESULT)) {
        case SAME -> operands++;
        case PARTLY -> {
          return NONE;
        }
        case DISJOINT -> {}
      }
    }
    return operands;
  }

  private void readSource(int copy) {
    int last = readers.isEmpty() ? copy : readers.getLast();
    if (tasks.isShared(tasks.source[copy]) || !staysUntil(copy, 0, copy + 1, last)) {
      return;
    }
    if (readers.stream().allMatch(reader -> mayRead(reader, copy, 0))) {
      readers.forEach(reader -> redirect(reader, copy, copy, 0));
      drop(copy);
    }
  }

  private void writeWhereCopied(int task) {
    int copy = firstCopy();
    if (copy == NONE || tasks.isShared(tasks.dst[copy]) || !computes(copy, Tiling.RESULT)) {
      return;
    }
    boolean isUntouched = true;
    for (int next = task + 1; next < copy; next++) {
      isUntouched &= dropped.get(next) || !Spans.touches(tasks, next, copy, Tiling.RESULT);
    }
    for (int i = 0; i < Tiling.sources(tasks, task); i++) {
      isUntouched &= Spans.relate(tasks, task, i, copy, Tiling.RESULT) != Relation.PARTLY;
    }
    readers.remove(Integer.valueOf(copy));
    int last = readers.isEmpty() ? copy : readers.getLast();
    if (isUntouched
        && staysUntil(copy, Tiling.RESULT, copy + 1, last)
        && readers.stream().allMatch(reader -> mayRead(reader, copy, Tiling.RESULT))) {
      readers.forEach(reader -> redirect(reader, task, copy, Tiling.RESULT));
      tasks.dst[task] = tasks.dst[copy];
      tasks.dstOffset[task] = tasks.dstOffset[copy];
      drop(copy);
    }
  }

  private int firstCopy() {
    return readers.stream()
        .filter(reader -> tasks.op[reader] == TaskArrays.COPY)
        .findFirst()
        .orElse(NONE);
  }

  /** Whether no task in a range writes an operand of a task. */
  private boolean staysUntil(int task, int operand, int from, int last) {
    for (int next = from; next < last; next++) {
      if (!dropped.get(next) && Spans.writes(tasks, next, task, operand)) {
        return false;
      }
    }
    return true;
  }

  /** Whether the result of a task allows the task to read an operand of another one. */
  private boolean mayRead(int reader, int of, int operand) {
    Relation result = Spans.relate(tasks, reader, Tiling.RESULT, of, operand);
    return switch (tasks.op[reader]) {
      case TaskArrays.COPY -> result == Relation.DISJOINT;
      case TaskArrays.REDUCE -> result == Relation.DISJOINT && computes(of, operand);
      default -> result != Relation.PARTLY && computes(of, operand);
    };
  }

  private boolean computes(int task, int operand) {
    return tasks.computes(Tiling.slot(tasks, task, operand));
  }

  /** Makes a reader of a task's result read an operand of another task instead. */
  private void redirect(int reader, int task, int of, int operand) {
    int slot = Tiling.slot(tasks, of, operand);
    long offset = Tiling.offset(tasks, of, operand);
    for (int i = 0; i < Tiling.sources(tasks, reader); i++) {
      if (Spans.relate(tasks, reader, i, task, Tiling.RESULT) == Relation.SAME) {
        reads.remove(list, Tiling.slot(tasks, reader, i));
        reads.add(list, slot);
        tasks.setSource(reader, i, slot, offset);
      }
    }
  }

  private void drop(int copy) {
    reads.remove(list, tasks.source[copy]);
    dropped.set(copy);
  }
}
