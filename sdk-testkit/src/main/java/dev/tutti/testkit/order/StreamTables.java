package dev.tutti.testkit.order;

import org.jspecify.annotations.Nullable;

/**
 * For each stream a small map from numbers to a few ints. What one stream asks for lies close
 * together, and a stream that knows nothing costs nothing. Not thread-safe.
 */
final class StreamTables {

  /** {@link #find} of a key that is not there. */
  static final int ABSENT = -1;

  private static final int FIRST_CAPACITY = 4;

  /** The ints of an entry, its key included, as a power of two. */
  private final int shift;

  /** Entries of key + 1 and values; key 0 is a free entry. */
  private final int[] @Nullable [] tables;

  private final int[] sizes;

  /**
   * Empty maps.
   *
   * @param values the ints of an entry: 1, 3 or 7
   */
  StreamTables(int streams, int values) {
    this.shift = Integer.numberOfTrailingZeros(values + 1);
    this.tables = new int[streams] @Nullable [];
    this.sizes = new int[streams];
  }

  private static int slot(int key, int mask) {
    return ((key * 0x9E3779B9) >>> 15) & mask;
  }

  /** Where the values of an entry begin in the stream's {@link #table}, or {@link #ABSENT}. */
  int find(int stream, int key) {
    int[] table = tables[stream];
    if (table == null) {
      return ABSENT;
    }
    int mask = (table.length >>> shift) - 1;
    for (int slot = slot(key, mask); ; slot = (slot + 1) & mask) {
      int found = table[slot << shift];
      if (found == key + 1) {
        return (slot << shift) + 1;
      }
      if (found == 0) {
        return ABSENT;
      }
    }
  }

  /** The stream's entries, for {@link #find} and {@link #add}; valid until the next add. */
  int[] table(int stream) {
    int[] table = tables[stream];
    if (table == null) {
      table = new int[FIRST_CAPACITY << shift];
      tables[stream] = table;
    }
    return table;
  }

  /** Adds an entry that is absent, with values of zero; gives the place where they begin. */
  int add(int stream, int key) {
    int[] table = table(stream);
    if (++sizes[stream] > table.length >>> (shift + 1)) {
      table = grown(table);
      tables[stream] = table;
    }
    return insert(table, key);
  }

  private int insert(int[] table, int key) {
    int mask = (table.length >>> shift) - 1;
    int slot = slot(key, mask);
    while (table[slot << shift] != 0) {
      slot = (slot + 1) & mask;
    }
    table[slot << shift] = key + 1;
    return (slot << shift) + 1;
  }

  private int[] grown(int[] old) {
    int[] table = new int[Math.multiplyExact(old.length, 2)];
    int width = 1 << shift;
    for (int from = 0; from < old.length; from += width) {
      if (old[from] != 0) {
        System.arraycopy(old, from + 1, table, insert(table, old[from] - 1), width - 1);
      }
    }
    return table;
  }

  /** Sees one entry. */
  interface Visitor {
    /** An entry, whose values begin at a place of the table. */
    void entry(int key, int[] table, int at);
  }

  /** Shows all entries of a stream. */
  void forEach(int stream, Visitor visitor) {
    int[] table = tables[stream];
    if (table == null) {
      return;
    }
    for (int from = 0; from < table.length; from += 1 << shift) {
      if (table[from] != 0) {
        visitor.entry(table[from] - 1, table, from + 1);
      }
    }
  }
}
