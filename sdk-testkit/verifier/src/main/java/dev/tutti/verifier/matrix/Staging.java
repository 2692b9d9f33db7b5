package dev.tutti.verifier.matrix;

import dev.tutti.sdk.CommInfo;

/**
 * The size of the CCL buffers of a case in bytes. With the count it decides how many rounds OP_BASE
 * mode takes, and how full the last one is.
 */
@FunctionalInterface
public interface Staging {

  /** The size for a case; the size in the case itself does not matter. */
  long bytes(CollectiveCase c);

  /** A fixed size. */
  static Staging of(long bytes) {
    return c -> bytes;
  }

  /** One round that leaves room in the buffer. */
  static Staging oneRound() {
    return c -> Math.max(Matrix.SMALL_CCL_BUFFER_SIZE, bytes(c, 2 * aligned(c, c.longestBlock())));
  }

  /** One round that fills the buffer, or as much of it as is used at all. */
  static Staging oneFullRound() {
    return c -> bytes(c, aligned(c, c.longestBlock()));
  }

  /** One round that leaves room for one element in the buffer, or for few of them. */
  static Staging oneRoundLessOne() {
    return c -> bytes(c, aligned(c, c.longestBlock() + 1));
  }

  /**
   * A full round, and another one for the element that is left over, or for few of them. Where
   * rounds are whole lines and the vector is not, the buffer is as large as the vector all the
   * same.
   */
  static Staging oneRoundMore() {
    return c -> {
      long longest = c.longestBlock();
      long most = Math.max(1, longest - 1);
      return bytes(c, most < line(c) ? most : longest % line(c) == 0 ? longest - line(c) : longest);
    };
  }

  /**
   * Several rounds of one size, of which the last one may be shorter: up to four, and up to three
   * of a large group, whose plans are long.
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

  /** Rounds of more than a line are whole lines. */
  private static long aligned(CollectiveCase c, long elements) {
    return elements < line(c) ? elements : Math.ceilDiv(elements, line(c)) * line(c);
  }

  private static long line(CollectiveCase c) {
    return 128 / c.dataType().size();
  }
}
