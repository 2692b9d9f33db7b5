package dev.tutti.engine;

/** How many operands of each list are read from each memory. */
final class ReadCounts {

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
