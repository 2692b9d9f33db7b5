package dev.tutti.sdk.topology;

import dev.tutti.sdk.Arguments;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * An ordered list of different ranks: the members of a sub-communicator. Position i of the list is
 * sub-communicator rank i. Immutable; a run of evenly spaced ranks takes constant memory.
 */
public final class RankList {

  private final int first;
  private final int step;
  private final int size;
  private final int @Nullable [] explicit;
  private final int @Nullable [] sortedIndex;

  private RankList(int first, int step, int size, int @Nullable [] explicit) {
    this.first = first;
    this.step = step;
    this.size = size;
    this.explicit = explicit;
    this.sortedIndex = explicit == null ? null : sortedPositions(explicit);
  }

  /** The ranks 0 to {@code size - 1}. */
  public static RankList range(int size) {
    return spaced(0, 1, size);
  }

  /**
   * Evenly spaced ranks: {@code first, first + step, …}.
   *
   * @param first the first rank, 0 or more
   * @param step the distance, 1 or more
   * @param size the number of ranks, 1 or more
   */
  public static RankList spaced(int first, int step, int size) {
    if (first < 0 || step < 1 || size < 1) {
      throw new TuttiException(
          ErrorCode.INVALID_RANK,
          "ranks need first >= 0, step >= 1 and size >= 1. Actual: first=%d, step=%d, size=%d",
          first,
          step,
          size);
    }
    if (first + (size - 1L) * step > Integer.MAX_VALUE) {
      throw new TuttiException(
          ErrorCode.INVALID_RANK,
          "the last rank must fit in 31 bits. Actual: first=%d, step=%d, size=%d",
          first,
          step,
          size);
    }
    return new RankList(first, size == 1 ? 1 : step, size, null);
  }

  /**
   * The given ranks in the given order.
   *
   * @throws TuttiException with {@link ErrorCode#INVALID_RANK} if the list is empty, or a rank is
   *     negative or repeated
   */
  public static RankList of(int... ranks) {
    Arguments.require(ranks, "ranks");
    if (ranks.length == 0) {
      throw new TuttiException(ErrorCode.INVALID_RANK, "a list of ranks must not be empty");
    }
    int[] sorted = ranks.clone();
    Arrays.sort(sorted);
    for (int i = 0; i < sorted.length; i++) {
      if (sorted[i] < 0 || (i > 0 && sorted[i] == sorted[i - 1])) {
        throw new TuttiException(
            ErrorCode.INVALID_RANK,
            "ranks must be 0 or more and all different. Actual: %s",
            Arrays.toString(ranks));
      }
    }
    int step = ranks.length == 1 ? 1 : ranks[1] - ranks[0];
    for (int i = 1; i < ranks.length; i++) {
      if (step < 1 || ranks[i] - ranks[i - 1] != step) {
        return new RankList(0, 0, ranks.length, ranks.clone());
      }
    }
    return new RankList(ranks[0], step, ranks.length, null);
  }

  /** The number of ranks, 1 or more. */
  public int size() {
    return size;
  }

  /**
   * The rank at a position.
   *
   * @param index the position, 0 to {@link #size()} - 1
   */
  public int rank(int index) {
    if (index < 0 || index >= size) {
      throw new TuttiException(
          ErrorCode.INVALID_RANK,
          "sub-communicator rank must be 0 to %d. Actual: %d",
          size - 1,
          index);
    }
    return explicit == null ? first + index * step : explicit[index];
  }

  /** The position of a rank, or -1 if it is not a member. */
  public int indexOf(int rank) {
    if (explicit != null && sortedIndex != null) {
      return indexOf(rank, explicit, sortedIndex);
    }
    int distance = rank - first;
    return distance >= 0 && distance % step == 0 && distance / step < size ? distance / step : -1;
  }

  private static int indexOf(int rank, int[] ranks, int[] sorted) {
    int low = 0;
    int high = sorted.length - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      int found = ranks[sorted[middle]];
      if (found == rank) {
        return sorted[middle];
      }
      if (found < rank) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return -1;
  }

  private static int[] sortedPositions(int[] ranks) {
    return IntStream.range(0, ranks.length)
        .boxed()
        .sorted((a, b) -> Integer.compare(ranks[a], ranks[b]))
        .mapToInt(Integer::intValue)
        .toArray();
  }

  /** Whether a rank is a member. */
  public boolean contains(int rank) {
    return indexOf(rank) >= 0;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof RankList that
        && first == that.first
        && step == that.step
        && size == that.size
        && Arrays.equals(explicit, that.explicit);
  }

  @Override
  public int hashCode() {
    return 31 * (31 * (31 * first + step) + size) + Arrays.hashCode(explicit);
  }

  @Override
  public String toString() {
    String shown =
        IntStream.range(0, Math.min(size, 16))
            .mapToObj(i -> Integer.toString(rank(i)))
            .collect(Collectors.joining(", "));
    return "[" + shown + (size > 16 ? ", … " + size + " ranks]" : "]");
  }
}
