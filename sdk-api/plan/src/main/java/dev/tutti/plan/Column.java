package dev.tutti.plan;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A list of numbers of 0 or more in the smallest of three forms: runs of equal steps, ints, or
 * longs. Immutable. Equal lists have equal forms.
 */
final class Column {

  static final Column EMPTY = of(new long[0], 0);

  // Two of the three are null. One class and two branches are faster to read than three classes.
  private final int @Nullable [] ints;
  private final long @Nullable [] longs;
  private final @Nullable Runs runs;

  private Column(int @Nullable [] ints, long @Nullable [] longs, @Nullable Runs runs) {
    this.ints = ints;
    this.longs = longs;
    this.runs = runs;
  }

  /** A copy of the first {@code size} numbers, each 0 or more. */
  static Column of(long[] numbers, int size) {
    Runs runs = Runs.of(numbers, size);
    if (runs != null) {
      return new Column(null, null, runs);
    }
    int[] ints = new int[size];
    for (int i = 0; i < size; i++) {
      if (numbers[i] > Integer.MAX_VALUE) {
        return new Column(null, Arrays.copyOf(numbers, size), null);
      }
      ints[i] = (int) numbers[i];
    }
    return new Column(ints, null, null);
  }

  long get(int index) {
    if (ints != null) {
      return ints[index];
    }
    if (longs != null) {
      return longs[index];
    }
    return Objects.requireNonNull(runs).get(index);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return this == other
        || (other instanceof Column that
            && Arrays.equals(ints, that.ints)
            && Arrays.equals(longs, that.longs)
            && Objects.equals(runs, that.runs));
  }

  @Override
  public int hashCode() {
    return 31 * (31 * Arrays.hashCode(ints) + Arrays.hashCode(longs)) + Objects.hashCode(runs);
  }
}
