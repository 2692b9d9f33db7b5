package dev.tutti.verifier.order;

import org.jspecify.annotations.Nullable;

/**
 * A small map from numbers to a few ints for each stream. The entries of one stream are close
 * together in memory, and a stream without entries costs almost nothing. Not thread-safe while
 * entries are added.
 */
final class StreamTables {

  /** The result of {@link #find} if there is no such key. */
  static final int ABSENT = -1;

  private static final int FIRST_CAPACITY = 4;
  private static final int FIRST_CHUNK = 1 << 8;
  private static final int LARGEST_CHUNK = 1 << 18;

  /** The base-2 logarithm of the ints per entry, its key included. */
  private final int shift;

  /*
   * Tables of key + 1 and values; key 0 marks a free entry. Many tables share one array, because a
   * separate array for each would cost one more cache miss, and a copy by the garbage collector.
   */
  private final int[] @Nullable [] chunks;
  private final int[] starts;

  /** For each stream, the capacity of its table minus one. A capacity is a power of two. */
  private final int[] masks;

  private final int[] sizes;

  /** The array for the next table. */
  private int[] chunk = {};

  private int chunkEnd;

  /**
   * Makes empty maps.
   *
   * @param values the ints of an entry without its key: 1, 3 or 7
   */
  StreamTables(int streams, int values) {
    this.shift = Integer.numberOfTrailingZeros(values + 1);
    this.chunks = new int[streams] @Nullable [];
    this.starts = new int[streams];
    this.masks = new int[streams];
    this.sizes = new int[streams];
  }

  private static int slot(int key, int mask) {
    return ((key * 0x9E3779B9) >>> 15) & mask;
  }

  /** The place of an entry's first value in the stream's {@link #table}, or {@link #ABSENT}. */
  int find(int stream, int key) {
    int[] table = chunks[stream];
    if (table == null) {
      return ABSENT;
    }
    int start = starts[stream];
    int mask = masks[stream];
    for (int slot = slot(key, mask); ; slot = (slot + 1) & mask) {
      int at = start + (slot << shift);
      int found = table[at];
      if (found == key + 1) {
        return at + 1;
      }
      if (found == 0) {
        return ABSENT;
      }
    }
  }

  /** The array with a stream's entries, for {@link #find} and {@link #add}; valid until an add. */
  int[] table(int stream) {
    int[] table = chunks[stream];
    if (table == null) {
      throw new IllegalStateException("stream " + stream + " has no entries");
    }
    return table;
  }

  /** Adds an absent entry with zero values; returns the place of its first value. */
  int add(int stream, int key) {
    int[] table = chunks[stream];
    if (table == null) {
      table = allocate(stream, FIRST_CAPACITY);
    }
    if (++sizes[stream] > (masks[stream] + 1) / 2) {
      table = grow(stream, table);
    }
    return insert(stream, table, key);
  }

  private int insert(int stream, int[] table, int key) {
    int start = starts[stream];
    int mask = masks[stream];
    int slot = slot(key, mask);
    while (table[start + (slot << shift)] != 0) {
      slot = (slot + 1) & mask;
    }
    table[start + (slot << shift)] = key + 1;
    return start + (slot << shift) + 1;
  }

  private int[] grow(int stream, int[] old) {
    int from = starts[stream];
    int end = from + ((masks[stream] + 1) << shift);
    int[] table = allocate(stream, Math.multiplyExact(masks[stream] + 1, 2));
    int width = 1 << shift;
    for (; from < end; from += width) {
      if (old[from] != 0) {
        System.arraycopy(old, from + 1, table, insert(stream, table, old[from] - 1), width - 1);
      }
    }
    return table;
  }

  /** Gives a stream an empty table. */
  private int[] allocate(int stream, int capacity) {
    int size = Math.multiplyExact(capacity, 1 << shift);
    if (size > chunk.length - chunkEnd) {
      int wanted = Math.clamp(2L * chunk.length, FIRST_CHUNK, LARGEST_CHUNK);
      chunk = new int[Math.max(size, wanted)];
      chunkEnd = 0;
    }
    chunks[stream] = chunk;
    starts[stream] = chunkEnd;
    masks[stream] = capacity - 1;
    chunkEnd += size;
    return chunk;
  }
}
