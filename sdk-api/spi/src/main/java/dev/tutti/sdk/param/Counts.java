package dev.tutti.sdk.param;

import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.util.List;

/** Checks and sums of element counts. */
final class Counts {

  private Counts() {}

  /** The size in bytes of a number of elements, checked to be 0 or more and to fit in a long. */
  static long bytes(String name, long count, DataType type) {
    return bytes(name, count, type, 1);
  }

  /** The size in bytes of {@code factor} times a number of elements. */
  static long bytes(String name, long count, DataType type, long factor) {
    if (count < 0 || count > Long.MAX_VALUE / type.size() / Math.max(1, factor)) {
      throw new TuttiException(
          ErrorCode.INVALID_COUNT,
          "%s must be 0 or more, and %s%s elements of %s must fit in 63 bits. Actual: %d",
          name,
          factor == 1 ? "" : factor + " times ",
          name,
          type,
          count);
    }
    return count * type.size() * factor;
  }

  /** The sum of one count per rank in bytes, with all checks. */
  static long bytes(String name, List<Long> counts, DataType type, CommInfo comm) {
    if (counts.size() != comm.rankSize()) {
      throw new TuttiException(
          ErrorCode.INVALID_COUNT,
          "%s must have one entry per rank. Actual: %d entries, %d ranks",
          name,
          counts.size(),
          comm.rankSize());
    }
    long total = 0;
    for (int rank = 0; rank < counts.size(); rank++) {
      total += counts.get(rank);
      bytes(name + "[" + rank + "]", counts.get(rank), type);
      bytes("the sum of " + name, total, type);
    }
    return total * type.size();
  }

  /** The sum of the counts before an index. */
  static long before(List<Long> counts, int index) {
    long sum = 0;
    for (int i = 0; i < index; i++) {
      sum += counts.get(i);
    }
    return sum;
  }

  static void rank(String name, int rank, CommInfo comm) {
    if (rank < 0 || rank >= comm.rankSize()) {
      throw new TuttiException(
          ErrorCode.INVALID_RANK,
          "%s must be 0 to %d. Actual: %d",
          name,
          comm.rankSize() - 1,
          rank);
    }
  }

  static void peer(String name, int rank, CommInfo comm) {
    rank(name, rank, comm);
    if (rank == comm.rank()) {
      throw new TuttiException(
          ErrorCode.INVALID_RANK, "%s must be a rank other than this one. Actual: %d", name, rank);
    }
  }

  static void atMost(String name, long count, long max) {
    if (count < 0 || count > max) {
      throw new TuttiException(
          ErrorCode.INVALID_COUNT, "%s must be 0 to maxCount=%d. Actual: %d", name, max, count);
    }
  }
}
