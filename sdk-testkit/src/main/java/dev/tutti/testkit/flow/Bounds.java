package dev.tutti.testkit.flow;

import java.util.Arrays;

/** A set of offsets in one memory. Not thread-safe. */
final class Bounds {

  /** Offsets above one bit that is set, at the slots that their hashes choose; 0 is free. */
  private long[] table = new long[8];

  private int size;

  /** The offset added last: neighbouring accesses share one. */
  private long last = -1;

  boolean isEmpty() {
    return size == 0;
  }

  void add(long offset) {
    if (offset == last) {
      return;
    }
    last = offset;
    if (insert((offset << 1) | 1) && ++size > table.length / 4 * 3) {
      long[] old = table;
      table = new long[Math.multiplyExact(old.length, 2)];
      for (long key : old) {
        if (key != 0) {
          insert(key);
        }
      }
    }
  }

  private boolean insert(long key) {
    int mask = table.length - 1;
    int slot = (int) ((key * 0x9E3779B97F4A7C15L) >>> 32) & mask;
    while (table[slot] != 0) {
      if (table[slot] == key) {
        return false;
      }
      slot = (slot + 1) & mask;
    }
    table[slot] = key;
    return true;
  }

  /** The offsets in ascending order. */
  long[] sorted() {
    long[] sorted = new long[size];
    int next = 0;
    for (long key : table) {
      if (key != 0) {
        sorted[next++] = key >>> 1;
      }
    }
    Arrays.sort(sorted);
    return sorted;
  }
}
