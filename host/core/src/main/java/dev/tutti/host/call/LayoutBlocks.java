package dev.tutti.host.call;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.util.Arrays;
import java.util.stream.IntStream;

/** Blocks of elements in the order of the data; neighbours that touch are merged. */
public final class LayoutBlocks {

  /** The largest number of blocks of one buffer; each block is an action of the plan. */
  static final int MAX_BLOCKS = 1 << 16;

  private long[] starts = new long[4];
  private long[] lengths = new long[4];
  private int size;

  LayoutBlocks() {}

  /** Adds a block after the others; an empty one is left out. */
  void add(long start, long length) {
    if (length == 0) {
      return;
    }
    if (size > 0 && starts[size - 1] + lengths[size - 1] == start) {
      lengths[size - 1] += length;
      return;
    }
    if (size == MAX_BLOCKS) {
      throw new TuttiException(
          ErrorCode.PLAN_TOO_LARGE,
          "a buffer has more than %d separate blocks, each of which is an action of the plan; use"
              + " longer blocks, several operations, or pack the data first",
          MAX_BLOCKS);
    }
    if (size == starts.length) {
      starts = Arrays.copyOf(starts, 2 * size);
      lengths = Arrays.copyOf(lengths, 2 * size);
    }
    starts[size] = start;
    lengths[size] = length;
    size++;
  }

  /** The number of blocks. */
  public int size() {
    return size;
  }

  /** The first element of a block. */
  public long start(int block) {
    return starts[block];
  }

  /** The elements of a block. */
  public long length(int block) {
    return lengths[block];
  }

  long[] starts() {
    return Arrays.copyOf(starts, size);
  }

  long[] lengths() {
    return Arrays.copyOf(lengths, size);
  }

  /** Whether any element is in two blocks. */
  public boolean overlap() {
    int[] order =
        IntStream.range(0, size)
            .boxed()
            .sorted((a, b) -> Long.compare(starts[a], starts[b]))
            .mapToInt(Integer::intValue)
            .toArray();
    for (int i = 1; i < size; i++) {
      if (starts[order[i - 1]] + lengths[order[i - 1]] > starts[order[i]]) {
        return true;
      }
    }
    return false;
  }
}
