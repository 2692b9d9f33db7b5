package dev.tutti.plugins.template;

import dev.tutti.sdk.resource.SubCommInfo;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A rank's view of the binomial tree over a number of ranks, as {@code OpCommTransport.tree}
 * defines it.
 *
 * <p>The place of a rank is its distance behind the root, around the ring of ranks. The parent of a
 * place is that place without its lowest set bit. So a subtree is a run of consecutive places: if
 * the lowest set bit of v is 2^j, the subtree of v has the 2^j places from v on, or as many as
 * there are.
 *
 * @param rank this rank
 * @param size the number of ranks
 * @param root the rank at the root
 */
public record BinomialTree(int rank, int size, int root) {

  /** The tree over the members of a sub-communicator. */
  public static BinomialTree of(SubCommInfo comm, int root) {
    return new BinomialTree(comm.localRank(), comm.localRankSize(), root);
  }

  /** The number of children of the root: ⌈log₂ size⌉. */
  public static int degree(int size) {
    return 32 - Integer.numberOfLeadingZeros(size - 1);
  }

  /** The number of ranks below the root on the longest path: ⌊log₂ size⌋. */
  public static int depth(int size) {
    return 31 - Integer.numberOfLeadingZeros(size);
  }

  /** The same tree as another rank sees it. */
  public BinomialTree at(int otherRank) {
    return new BinomialTree(otherRank, size, root);
  }

  /** This rank's distance behind the root. */
  public int place() {
    return Math.floorMod(rank - root, size);
  }

  /** The place behind this rank's subtree. */
  public int end() {
    return isRoot() ? size : Math.min(size, place() + Integer.lowestOneBit(place()));
  }

  /** The number of ranks of this rank's subtree. */
  public int span() {
    return end() - place();
  }

  /**
   * Whether this subtree wraps around from the last rank to rank 0. If so, its blocks are in two
   * parts of a memory that has the blocks of all ranks in order.
   */
  public boolean isSplit() {
    return rank + span() > size;
  }

  /** Whether this rank is the root. */
  public boolean isRoot() {
    return rank == root;
  }

  /** Whether this rank has no children. */
  public boolean isLeaf() {
    return span() == 1;
  }

  /** The rank of the parent; only if this is not the root. */
  public int parent() {
    return rankAt(place() - Integer.lowestOneBit(place()));
  }

  /** The ranks of the children, those with smaller subtrees first. */
  public List<Integer> children() {
    return IntStream.iterate(1, bit -> place() + bit < end(), bit -> bit << 1)
        .mapToObj(bit -> rankAt(place() + bit))
        .toList();
  }

  private int rankAt(int place) {
    return (place + root) % size;
  }
}
