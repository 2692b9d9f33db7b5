package dev.tutti.plan;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A list of numbers as runs with constant steps, which a loop over slices produces. Immutable; the
 * same numbers always give the same runs.
 */
final class Runs {

  /** The index of a run must fit in a byte. */
  private static final int MAX_RUNS = 255;

  /** A run takes as much memory as six plain ints; shorter runs would save nothing. */
  private static final int MIN_MEAN_LENGTH = 8;

  /** The index after the last number of each run. */
  private final int[] ends;

  /** Number i of a run is {@code origin + step * i}, where i counts from the start of the list. */
  private final long[] origins;

  private final long[] steps;

  /**
   * The run in which each block of {@code 1 << blockShift} numbers begins. There are at least twice
   * as many blocks as runs, so a lookup takes constant time on average.
   */
  private final byte[] blockRuns;

  private final int blockShift;

  private Runs(int[] ends, long[] origins, long[] steps) {
    this.ends = ends;
    this.origins = origins;
    this.steps = steps;
    int size = ends[ends.length - 1];
    this.blockShift = 31 - Integer.numberOfLeadingZeros(Math.max(1, size / (2 * ends.length)));
    this.blockRuns = new byte[((size - 1) >>> blockShift) + 1];
    int run = 0;
    for (int block = 0; block < blockRuns.length; block++) {
      while (ends[run] <= block << blockShift) {
        run++;
      }
      blockRuns[block] = (byte) run;
    }
  }

  /** The runs of the first {@code size} numbers, or null if they are too short to save memory. */
  static @Nullable Runs of(long[] numbers, int size) {
    int most = Math.min(MAX_RUNS, size / MIN_MEAN_LENGTH);
    int count = 0;
    for (int start = 0; start < size; start = end(numbers, start, size)) {
      if (++count > most) {
        return null;
      }
    }
    return count == 0 ? null : of(numbers, size, count);
  }

  private static Runs of(long[] numbers, int size, int count) {
    int[] ends = new int[count];
    long[] origins = new long[count];
    long[] steps = new long[count];
    int start = 0;
    for (int run = 0; run < count; run++) {
      ends[run] = end(numbers, start, size);
      // Sums and products wrap around; the overflow cancels out again in get().
      steps[run] = start + 1 < size ? numbers[start + 1] - numbers[start] : 0;
      origins[run] = numbers[start] - steps[run] * start;
      start = ends[run];
    }
    return new Runs(ends, origins, steps);
  }

  /** The end of the longest run from a start. */
  private static int end(long[] numbers, int start, int size) {
    if (start + 1 >= size) {
      return size;
    }
    long step = numbers[start + 1] - numbers[start];
    int end = start + 2;
    while (end < size && numbers[end] - numbers[end - 1] == step) {
      end++;
    }
    return end;
  }

  long get(int index) {
    int run = blockRuns[index >>> blockShift] & 0xff;
    while (index >= ends[run]) {
      run++;
    }
    return origins[run] + steps[run] * index;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Runs that
        && Arrays.equals(ends, that.ends)
        && Arrays.equals(origins, that.origins)
        && Arrays.equals(steps, that.steps);
  }

  @Override
  public int hashCode() {
    return 31 * (31 * Arrays.hashCode(ends) + Arrays.hashCode(origins)) + Arrays.hashCode(steps);
  }
}
