package dev.tutti.plugins.template;

/** Which streams ask for ports, earliest first and then by number; each asks once at a time. */
final class PortRequests {

  private final int[] rows;
  private final int[] entries;
  private final long[] times;
  private int size;

  /** None so far. */
  PortRequests(int streams) {
    this.rows = new int[streams];
    this.entries = new int[streams];
    this.times = new long[streams];
  }

  boolean isEmpty() {
    return size == 0;
  }

  void add(int row, int entry, long time) {
    times[row] = time;
    entries[row] = entry;
    int place = size++;
    while (place > 0 && comesBefore(row, rows[(place - 1) / 2])) {
      rows[place] = rows[(place - 1) / 2];
      place = (place - 1) / 2;
    }
    rows[place] = row;
  }

  long firstTime() {
    return times[rows[0]];
  }

  /** Removes the first one. */
  int remove() {
    int first = rows[0];
    int moved = rows[--size];
    int place = 0;
    for (int child = 1; child < size; child = 2 * place + 1) {
      if (child + 1 < size && comesBefore(rows[child + 1], rows[child])) {
        child++;
      }
      if (comesBefore(moved, rows[child])) {
        break;
      }
      rows[place] = rows[child];
      place = child;
    }
    rows[place] = moved;
    return entries[first];
  }

  private boolean comesBefore(int row, int other) {
    return times[row] < times[other] || (times[row] == times[other] && row < other);
  }
}
