package dev.tutti.verifier.symbol;

import dev.tutti.verifier.semantics.Piece;
import org.jspecify.annotations.Nullable;

/**
 * Compares the associations of reduced elements: between the ranks that get the same element, and
 * between the elements of one result. Serves one pass over the results. Not thread-safe.
 */
final class Associations {

  /** Receives the differences. */
  interface Differences {

    /**
     * Two ranks associate a part of a result differently. The offset is in bytes from the start of
     * the piece.
     */
    void betweenRanks(Piece piece, int rank, int otherRank, long from);

    /**
     * A rank associates two elements of a result differently. Offsets are as in {@link
     * #betweenRanks}.
     */
    void betweenElements(Piece piece, int rank, long from, long otherFrom);
  }

  private final Differences differences;

  /**
   * For each rank, the hash of the expression of all its elements; 0 if they differ or there are
   * none.
   */
  private final long[] trees;

  private @Nullable Piece piece;
  private int firstRank;
  private final Strip first = new Strip();
  private final Strip other = new Strip();

  Associations(int rankSize, Differences differences) {
    this.trees = new long[rankSize];
    this.differences = differences;
  }

  /**
   * For each rank, the hash of the expression that all its elements share; 0 if they differ or
   * there are none.
   */
  long[] trees() {
    return trees;
  }

  /** Adds one rank's values of a piece. The ranks of one piece must come one after another. */
  void add(Piece added, int rank, Strip values) {
    boolean isFirst = added != piece;
    Strip mine = isFirst ? first : other;
    mine.clear();
    for (int run = 0; run < values.size; run++) {
      long bytes = values.ends[run] - values.start(run);
      boolean isSound = Value.isSound(values.metas[run]);
      mine.add(bytes, 0, isSound ? values.trees[run] : 0, Value.BROKEN);
    }
    trees[rank] = mine.size == 1 ? mine.trees[0] : 0;
    if (isFirst) {
      piece = added;
      firstRank = rank;
      compareElements(added, rank);
    } else {
      compareRanks(added, rank);
    }
  }

  private void compareElements(Piece added, int rank) {
    int known = 0;
    while (known < first.size && first.trees[known] == 0) {
      known++;
    }
    for (int run = known + 1; run < first.size; run++) {
      if (first.trees[run] != 0 && first.trees[run] != first.trees[known]) {
        differences.betweenElements(added, rank, first.start(known), first.start(run));
        return;
      }
    }
  }

  private void compareRanks(Piece added, int rank) {
    int i = 0;
    int j = 0;
    while (i < first.size && j < other.size) {
      long tree = first.trees[i];
      long otherTree = other.trees[j];
      if (tree != otherTree && tree != 0 && otherTree != 0) {
        long from = Math.max(first.start(i), other.start(j));
        differences.betweenRanks(added, firstRank, rank, from);
        return;
      }
      long end = Math.min(first.ends[i], other.ends[j]);
      i += first.ends[i] == end ? 1 : 0;
      j += other.ends[j] == end ? 1 : 0;
    }
  }
}
