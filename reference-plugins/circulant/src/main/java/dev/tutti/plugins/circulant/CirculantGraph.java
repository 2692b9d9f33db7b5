package dev.tutti.plugins.circulant;

/**
 * A circulant graph over p ranks, and the schedule by which blocks of the root, rank 0, travel on
 * it in the fewest rounds.
 *
 * <p>In a round of kind k, 0 to q - 1 for q = ⌈log₂ p⌉, rank r sends to rank r + skip(k) and gets
 * from rank r - skip(k), modulo p. The schedule says which block a rank gets, relative to the
 * number of rounds gone by: q - 1 of the q blocks of a phase are old ones, which the root has sent
 * in the phase before and have negative numbers, and one is new. So n blocks take n - 1 + q rounds.
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

  /** The rank that a rank gets from in rounds of kind k. */
  int previous(int rank, int k) {
    return (rank + size - skips[k]) % size;
  }

  /** The block that a rank gets in each kind of round; nothing for the root. */
  int[] received(int rank) {
    return new BlockSearch(skips, rank).blocks();
  }

  /** The block that a rank sends in each kind of round: the one that its receiver gets. */
  int sent(int rank, int k) {
    return rank == 0 ? k : received(next(rank, k))[k];
  }
}
