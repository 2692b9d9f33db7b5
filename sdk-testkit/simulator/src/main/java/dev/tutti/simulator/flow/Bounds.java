package dev.tutti.simulator.flow;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A set of offsets in one memory. Several threads may add at the same time. */
final class Bounds {

  /*
   * A small memory has a bit for each offset. A large memory has a hash set, because most accesses
   * share the same few boundaries.
   */
  private static final VarHandle WORD = MethodHandles.arrayElementVarHandle(long[].class);
  private static final int MAX_BITS = 1 << 16;
  private static final long[] NO_TABLE = {};

  private final long @Nullable [] bits;

  /** Open addressing: each offset above one set bit; 0 for a free slot. */
  private long[] table;

  private int size;

  /** The offset added last, which neighbouring accesses often share. */
  private long last = -1;

  /**
   * An empty set.
   *
   * @param greatest the greatest possible offset
   */
  Bounds(long greatest) {
    this.bits = greatest < MAX_BITS ? new long[(int) (greatest >>> 6) + 1] : null;
    this.table = bits == null ? new long[8] : NO_TABLE;
  }

  void add(long offset) {
    if (bits == null) {
      addToTable(offset);
      return;
    }
    int word = (int) (offset >>> 6);
    if ((bits[word] & 1L << offset) == 0) {
      WORD.getAndBitwiseOr(bits, word, 1L << offset);
    }
  }

  private synchronized void addToTable(long offset) {
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

  /** The offsets in ascending order. No thread may add at the same time. */
  long[] sorted() {
    return bits == null ? sortedTable() : sortedBits(bits);
  }

  private static long[] sortedBits(long[] bits) {
    int count = 0;
    for (long word : bits) {
      count += Long.bitCount(word);
    }
    long[] sorted = new long[count];
    int next = 0;
    for (int word = 0; word < bits.length; word++) {
      for (long left = bits[word]; left != 0; left &= left - 1) {
        sorted[next++] = ((long) word << 6) + Long.numberOfTrailingZeros(left);
      }
    }
    return sorted;
  }

  private long[] sortedTable() {
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
