package dev.tutti.plan;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Keeps one of several equal values, so that the ranks of a recording share what they have in
 * common. Not thread-safe. It keeps a bounded number of values. It stops sharing the values that it
 * forgets; nothing else changes.
 */
final class Interner {

  private static final int MAX_VALUES = 1 << 12;

  /** The most entries of an array that enter its hash; equality compares all entries. */
  private static final int HASHED_ENTRIES = 64;

  private static final int[] NO_INTS = {};

  private final Map<Object, Object> known = new HashMap<>();

  /** The first value that was equal to this one. */
  <T> T value(T value) {
    // The value found equals the key, and keys of different classes are never equal.
    @SuppressWarnings("unchecked")
    T first = (T) known.putIfAbsent(value, value);
    forgetIfMany();
    return first == null ? value : first;
  }

  /**
   * An array equal to the first {@code length} entries; copies the entries only if there was none.
   */
  int[] ints(int[] source, int length) {
    if (length == 0) {
      return NO_INTS;
    }
    Object found = known.get(new Ints(source, length));
    if (found instanceof Ints ints) {
      return ints.array;
    }
    int[] copy = Arrays.copyOf(source, length);
    Ints key = new Ints(copy, length);
    known.put(key, key);
    forgetIfMany();
    return copy;
  }

  /**
   * The actions of the first {@code count} codes; creates new ones only if there were no equal
   * ones.
   */
  Actions actions(int[] codes, int count, FirstUse meanings) {
    Object found = known.get(new Draft(codes, count, meanings));
    return found instanceof Actions actions ? actions : value(new Actions(codes, count, meanings));
  }

  /** Actions that do not exist yet, for comparison with existing ones. */
  private record Draft(int[] codes, int count, FirstUse meanings) {
    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Actions actions && actions.isMadeOf(codes, count, meanings);
    }

    @Override
    public int hashCode() {
      return Actions.hash(codes, count, meanings);
    }
  }

  /** An array equal to this one. */
  long[] longs(long[] source) {
    return value(new Longs(source)).array;
  }

  private void forgetIfMany() {
    if (known.size() >= MAX_VALUES) {
      known.clear();
    }
  }

  /** The first entries of an array, compared by value. */
  private static final class Ints {
    private final int[] array;
    private final int length;

    Ints(int[] array, int length) {
      this.array = array;
      this.length = length;
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Ints that
          && Arrays.equals(array, 0, length, that.array, 0, that.length);
    }

    @Override
    public int hashCode() {
      int hash = length;
      int step = length / HASHED_ENTRIES + 1;
      for (int i = 0; i < length; i += step) {
        hash = 31 * hash + array[i];
      }
      return hash;
    }
  }

  private record Longs(long[] array) {
    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Longs that && Arrays.equals(array, that.array);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(array);
    }
  }
}
