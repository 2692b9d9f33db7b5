package dev.tutti.plan;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A list of numbers, each 0 or more, in the smallest of three forms: runs of equal steps, ints, or
 * longs. A fourth form looks the numbers up among the positions of marks. Immutable. Equal lists in
 * the first three forms have the same form.
 */
final class Column {

  static final Column EMPTY = of(new long[0], 0);

  // All but one are null. One class and some branches are faster to read than four classes.
  private final int @Nullable [] ints;
  private final long @Nullable [] longs;
  private final @Nullable Runs runs;
  private final @Nullable Marked marked;

  /**
   * Number i is the position of mark {@code ends[i]}, minus that of {@code starts[i]} if there are
   * starts.
   */
  private record Marked(int @Nullable [] starts, int[] ends, long[] positions) {
    long get(int index) {
      long start = starts == null ? 0 : positions[starts[index]];
      return positions[ends[index]] - start;
    }
  }

  private Column(
      int @Nullable [] ints,
      long @Nullable [] longs,
      @Nullable Runs runs,
      @Nullable Marked marked) {
    this.ints = ints;
    this.longs = longs;
    this.runs = runs;
    this.marked = marked;
  }

  /** The positions of some marks. The arrays must not change afterwards. */
  static Column at(int[] marks, long[] positions) {
    return new Column(null, null, null, new Marked(null, marks, positions));
  }

  /** The distances between marks. The arrays must not change afterwards. */
  static Column between(int[] starts, int[] ends, long[] positions) {
    return new Column(null, null, null, new Marked(starts, ends, positions));
  }

  /** The same numbers in one of the first three forms. */
  private Column plain() {
    if (marked == null) {
      return this;
    }
    long[] numbers = new long[marked.ends.length];
    Arrays.setAll(numbers, marked::get);
    return of(numbers, numbers.length);
  }

  /** A copy of the first {@code size} numbers, each 0 or more. */
  static Column of(long[] numbers, int size) {
    Runs runs = Runs.of(numbers, size);
    if (runs != null) {
      return new Column(null, null, runs, null);
    }
    int[] ints = new int[size];
    for (int i = 0; i < size; i++) {
      if (numbers[i] > Integer.MAX_VALUE) {
        return new Column(null, Arrays.copyOf(numbers, size), null, null);
      }
      ints[i] = (int) numbers[i];
    }
    return new Column(ints, null, null, null);
  }

  long get(int index) {
    if (ints != null) {
      return ints[index];
    }
    if (longs != null) {
      return longs[index];
    }
    return runs != null ? runs.get(index) : Objects.requireNonNull(marked).get(index);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return this == other || (other instanceof Column that && plain().isSame(that.plain()));
  }

  private boolean isSame(Column that) {
    return Arrays.equals(ints, that.ints)
        && Arrays.equals(longs, that.longs)
        && Objects.equals(runs, that.runs);
  }

  @Override
  public int hashCode() {
    return marked == null
        ? 31 * (31 * Arrays.hashCode(ints) + Arrays.hashCode(longs)) + Objects.hashCode(runs)
        : plain().hashCode();
  }
}
