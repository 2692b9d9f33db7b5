package dev.tutti.plan;

import java.util.Arrays;
import java.util.function.LongUnaryOperator;

/**
 * Numbers keys, each 0 or more, in the order of their first use. Plans name links and peers by such
 * numbers, so ranks that do the same with different peers have equal numbers. Not thread-safe.
 */
final class FirstUse {

  private static final int SMALLEST_TABLE = 16;

  private int count;
  private long[] keys = new long[SMALLEST_TABLE / 2];

  /** Open addressing: the number of a key plus one, or 0 for a free slot. */
  private int[] table = new int[SMALLEST_TABLE];

  /** The shift that leaves as many high bits of a 64-bit hash as the table has bits. */
  private int hashShift = hashShift(SMALLEST_TABLE);

  private long lastKey = -1;
  private int lastNumber;

  /** The number of a key; the next free one if the key is new. */
  int number(long key) {
    if (key != lastKey) {
      int slot = slot(key);
      if (table[slot] == 0) {
        slot = add(key, slot);
      }
      lastNumber = table[slot] - 1;
      lastKey = key;
    }
    return lastNumber;
  }

  private int add(long key, int slot) {
    int free = slot;
    if (count == keys.length) {
      keys = Arrays.copyOf(keys, count * 2);
      setTable(count * 4);
      for (int number = 0; number < count; number++) {
        table[slot(keys[number])] = number + 1;
      }
      free = slot(key);
    }
    keys[count++] = key;
    table[free] = count;
    return free;
  }

  /** The slot of a key, or the free slot for it. The table is at least half empty. */
  private int slot(long key) {
    // Fibonacci hashing: the high bits of the product depend on all bits of the key.
    int slot = (int) ((key * 0x9E3779B97F4A7C15L) >>> hashShift);
    while (table[slot] != 0 && keys[table[slot] - 1] != key) {
      slot = slot + 1 & table.length - 1;
    }
    return slot;
  }

  int count() {
    return count;
  }

  boolean contains(long key) {
    return table[slot(key)] != 0;
  }

  /** The key of a number. */
  long key(int number) {
    return keys[number];
  }

  /** The key of each number. */
  long[] keys() {
    return Arrays.copyOf(keys, count);
  }

  /** The key of each number, where keys are ints. */
  int[] intKeys() {
    int[] ints = new int[count];
    for (int number = 0; number < count; number++) {
      ints[number] = (int) keys[number];
    }
    return ints;
  }

  /** Forgets all keys. The time depends on their number only, not on the number of earlier keys. */
  void clear() {
    if (table.length > SMALLEST_TABLE && count < table.length / 16) {
      setTable(SMALLEST_TABLE);
      keys = new long[SMALLEST_TABLE / 2];
    } else {
      Arrays.fill(table, 0);
    }
    count = 0;
    lastKey = -1;
  }

  private void setTable(int size) {
    table = new int[size];
    hashShift = hashShift(size);
  }

  private static int hashShift(int tableSize) {
    return Long.SIZE - Integer.numberOfTrailingZeros(tableSize);
  }

  /** Replaces all keys by others, which must be distinct; the numbers stay. */
  void replaceKeys(LongUnaryOperator replacement) {
    long[] old = keys();
    clear();
    for (long key : old) {
      number(replacement.applyAsLong(key));
    }
  }
}
