package dev.tutti.plugins.circulant;

/**
 * Finds the blocks that one rank receives.
 *
 * <p>A block that the root sends in round e travels along a path of skips. So every rank is a sum
 * of different skips, in more than one way, and the smallest skip of a sum identifies the block.
 * The search visits the sums from the largest on. For each k, it takes the first sum to which skip
 * k can still be added and whose block is not taken yet. So it finds q blocks, each of another
 * kind. It does not try taken skips again, so it needs O(q²) steps.
 */
final class BlockSearch {

  private final int[] skips;
  private final int rounds;
  private final int target;
  private final int base;
  private final boolean[] taken;
  private final int[] found;

  BlockSearch(int[] skips, int rank) {
    this.skips = skips;
    this.rounds = skips.length - 1;
    // One whole turn more, so that paths of the previous phase are also sums.
    this.target = rank + skips[rounds];
    this.base = baseBlock(skips, rank);
    this.taken = new boolean[rounds + 1];
    this.found = new int[rounds];
  }

  /** The first block of a rank: the smallest skip of its greedy sum. */
  private static int baseBlock(int[] skips, int rank) {
    int rest = rank;
    for (int k = skips.length - 2; k >= 0; k--) {
      if (skips[k] == rest) {
        return k;
      }
      if (skips[k] < rest) {
        rest -= skips[k];
      }
    }
    return skips.length - 1;
  }

  /** The block of each kind of round: the base block, or a negative number. */
  int[] blocks() {
    taken[base] = true;
    search(0, 2 * skips[rounds], rounds, 0);
    int[] blocks = new int[rounds];
    for (int k = 0; k < rounds; k++) {
      blocks[k] = found[k] == rounds ? base : found[k] - rounds;
    }
    return blocks;
  }

  /**
   * Continues the search from a sum.
   *
   * @param sum the sum of the skips so far
   * @param below the sum at which the last block was found
   * @param last the largest skip that may be added
   * @param first the first k that has no block yet
   * @return the first k that still has no block
   */
  private int search(int sum, int below, int last, int first) {
    int k = first;
    int limit = below;
    for (int e = last; e >= 0 && k < rounds; e--) {
      int next = sum + skips[e];
      if (taken[e] || next > target - skips[k] || next >= limit) {
        continue;
      }
      if (next <= target - skips[k + 1]) {
        k = search(next, limit, e, k);
      }
      if (k == rounds || sum > target - skips[k + 1]) {
        return k;
      }
      limit = next;
      found[k] = e;
      taken[e] = true;
      k++;
    }
    return k;
  }
}
