package dev.tutti.plugins.circulant;

/**
 * A circulant graph over p ranks, and the schedule that sends the blocks of the root, rank 0, over
 * it in the fewest rounds.
 *
 * <p>There are q = ⌈log₂ p⌉ kinds of rounds, 0 to q - 1. In a round of kind k, rank r sends to rank
 * r + skip(k) and receives from rank r - skip(k), modulo p. The schedule gives the block that a
 * rank receives, relative to the number of past rounds. A phase has q blocks, and one of them is
 * new. The root has sent the other q - 1 in the previous phase, and they have negative numbers. So
 * n blocks take n - 1 + q rounds.
 *
 * <p>Source: J. L. Träff, "Optimal broadcast schedules in logarithmic time with applications to
 * broadcast, all-broadcast, reduction and all-reduction", arXiv 2407.18004, 2024.
 */
final class CirculantGraph {

  private final int size;
  private final int[] skips;

  CirculantGraph(int size) {
    this.size = size;
    int kinds = 32 - Integer.numberOfLeadingZeros(size - 1);
    this.skips = new int[kinds + 1];
    skips[kinds] = size;
    for (int k = kinds - 1; k >= 0; k--) {
      skips[k] = (skips[k + 1] + 1) / 2;
    }
  }

  /** The number of kinds of rounds: ⌈log₂ p⌉. */
  int kinds() {
    return skips.length - 1;
  }

  /** The rank that a rank sends to in rounds of kind k. */
  int next(int rank, int k) {
    return (rank + skips[k]) % size;
  }

  /** The rank that a rank receives from in rounds of kind k. */
  int previous(int rank, int k) {
    return (rank + size - skips[k]) % size;
  }

  /** The block that a rank receives in each kind of round; meaningless for the root. */
  int[] received(int rank) {
    return new BlockSearch(skips, rank).blocks();
  }

  /** The block that a rank sends in rounds of kind k: the one that its peer receives. */
  int sent(int rank, int k) {
    return rank == 0 ? k : received(next(rank, k))[k];
  }
}
