package dev.tutti.engine;

import java.util.BitSet;

/** Writes a list in the form in which it runs: with its publications and tiled tasks. */
final class ListWriter {

  private static final int NONE = -1;

  /** The items that are kept. */
  private final TaskArrays kept;

  /** The number of each kept item in the draft, and the number of all items of the draft. */
  private final int[] number;

  /** The numbers before which the list publishes its progress. */
  private final BitSet published;

  private ListWriter(TaskArrays kept, int[] number, BitSet published) {
    this.kept = kept;
    this.number = number;
    this.published = published;
  }

  /**
   * Writes a list.
   *
   * @param draft its items
   * @param published the items before which the list publishes its progress
   * @param dropped items that are left out
   */
  static TaskArrays write(TaskArrays draft, BitSet published, BitSet dropped) {
    int[] number = new int[draft.size - dropped.cardinality() + 1];
    TaskArrays kept = dropped.isEmpty() ? draft : new TaskArrays(draft);
    int count = 0;
    for (int item = 0; item < draft.size; item++) {
      if (!dropped.get(item)) {
        number[count++] = item;
        if (kept != draft) {
          kept.addFrom(draft, item);
        }
      }
    }
    number[count] = draft.size;
    TaskArrays tasks = new ListWriter(kept, number, published).tasks();
    tasks.trim();
    return tasks;
  }

  private TaskArrays tasks() {
    if (published.isEmpty() && !hasTiles()) {
      return kept;
    }
    TaskArrays tasks = new TaskArrays(kept);
    int item = 0;
    while (item < kept.size) {
      publish(item, tasks);
      int count = 1;
      while (label(item + count) == NONE && Tiling.joins(kept, item, count)) {
        count++;
      }
      if (count > 1) {
        int tiled = tasks.addBeside(kept, item, TaskArrays.TILED);
        tasks.source[tiled] = count;
        tasks.bytes[tiled] = kept.bytes[item];
      }
      for (int i = 0; i < count; i++) {
        tasks.addFrom(kept, item++);
      }
    }
    publish(item, tasks);
    return tasks;
  }

  private boolean hasTiles() {
    for (int item = 0; item + 1 < kept.size; item++) {
      if (Tiling.joins(kept, item, 1)) {
        return true;
      }
    }
    return false;
  }

  /** The number that is published before an item, or NONE. */
  private int label(int item) {
    int before = item == 0 ? NONE : number[item - 1];
    int label = published.previousSetBit(number[item]);
    return label > before ? label : NONE;
  }

  private void publish(int item, TaskArrays tasks) {
    int label = label(item);
    if (label != NONE) {
      int task = tasks.addBeside(kept, item, TaskArrays.PUBLISH);
      tasks.bytes[task] = label;
    }
  }
}
