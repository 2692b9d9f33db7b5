package dev.tutti.verifier.matrix;

import dev.tutti.sdk.CommInfo;

/**
 * The size of the CCL buffers of a case in bytes. Together with the count, it decides how many
 * rounds OP_BASE mode takes, and how full the last one is.
 */
@FunctionalInterface
public interface Staging {

  /** The size for a case; ignores the size in the case itself. */
  long bytes(CollectiveCase c);

  /** A fixed size. */
  static Staging of(long bytes) {
    return c -> bytes;
  }

  /** One round that leaves room in the buffer. */
  static Staging oneRound() {
    return c -> Math.max(Matrix.SMALL_CCL_BUFFER_SIZE, bytes(c, 2 * aligned(c, c.longestBlock())));
  }

  /** One round that fills the buffer, or the part of the buffer that rounds can use. */
  static Staging oneFullRound() {
    return c -> bytes(c, aligned(c, c.longestBlock()));
  }

  /** One round that leaves room for one element in the buffer, or for a few. */
  static Staging oneRoundLessOne() {
    return c -> bytes(c, aligned(c, c.longestBlock() + 1));
  }

  /**
   * One full round, and a second one for the last element or a few. If rounds are whole cache lines
   * but the vector is not, the buffer is as large as the vector.
   */
  static Staging oneRoundMore() {
    return c -> {
      long longest = c.longestBlock();
      long most = Math.max(1, longest - 1);
      return bytes(c, most < line(c) ? most : longest % line(c) == 0 ? longest - line(c) : longest);
    };
  }

  /**
   * Several rounds of one size; the last one may be shorter. Up to four rounds, or up to three in a
   * large group, whose plans are long.
   */
  static Staging severalRounds() {
    return c -> {
      long rounds = c.comm().rankSize() <= Rounds.MOST_RANKS_WITH_FOUR ? 4 : 3;
      return bytes(c, aligned(c, Math.max(1, Math.ceilDiv(c.longestBlock(), rounds))));
    };
  }

  private static long bytes(CollectiveCase c, long elements) {
    return Math.max(
        CommInfo.MIN_CCL_BUFFER_SIZE, Math.multiplyExact(elements, c.bytesPerElement()));
  }

  /** Rounds up to whole cache lines if there is at least one line. */
  private static long aligned(CollectiveCase c, long elements) {
    return elements < line(c) ? elements : Math.ceilDiv(elements, line(c)) * line(c);
  }

  private static long line(CollectiveCase c) {
    return 128 / c.dataType().size();
  }
}
