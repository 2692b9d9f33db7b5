package dev.tutti.verifier.symbol;

import dev.tutti.verifier.rule.Finding;
import dev.tutti.verifier.rule.Findings;
import dev.tutti.verifier.rule.Rule;
import dev.tutti.verifier.semantics.Piece;
import java.util.List;
import java.util.function.Supplier;

/**
 * The result of the symbolic execution of one plan. It keeps the plan, to explain differences from
 * other plans. Immutable.
 */
public final class SymbolResult {

  private final boolean isRight;
  private final long[] associations;
  private final Goal goal;
  private final Supplier<Explainer> explainer;

  SymbolResult(boolean isRight, long[] associations, Goal goal, Supplier<Explainer> explainer) {
    this.isRight = isRight;
    this.associations = associations;
    this.goal = goal;
    this.explainer = explainer;
  }

  /** Whether every result is right, and every input and every other output is unchanged. */
  public boolean isRight() {
    return isRight;
  }

  /**
   * The association of a rank's elements: a hash of the expression over ranks that all of them
   * share. Equal expressions have equal hashes, also in other plans over the same number of ranks.
   *
   * @return 0 if the rank gets no reduced elements, if their expressions differ, or if every
   *     association gives the same bits
   */
  public long association(int rank) {
    return associations[rank];
  }

  /**
   * Adds DET-2 if an element's expression differs from that in a plan of the same operation with
   * another count. Differences between the elements of one plan are findings of that plan.
   *
   * @param other a result of the same algorithm, over the same number of ranks
   */
  public void compareSizes(SymbolResult other, Findings findings) {
    for (int rank = 0; rank < Math.min(associations.length, other.associations.length); rank++) {
      long mine = associations[rank];
      long others = other.associations[rank];
      if (mine != 0 && others != 0 && mine != others) {
        int differing = rank;
        findings.add(Rule.SIZES_DIFFER, "counts", () -> differ(other, differing));
      }
    }
  }

  private Finding differ(SymbolResult other, int rank) {
    String mine = describe(rank);
    String others = other.describe(rank);
    return new Finding(
        Rule.SIZES_DIFFER,
        "rank %d's elements are reduced in an order that depends on the count, though the executor"
                .formatted(rank)
            + " promises that it does not: "
            + mine
            + ", "
            + others,
        List.of(),
        mine + "\n" + others);
  }

  private String describe(int rank) {
    for (Piece piece : goal.pieces) {
      for (int dstRank : piece.dstRanks) {
        if (dstRank == rank && piece.srcRanks.length > 1) {
          return "with %d elements %s".formatted(piece.count, explainer.get().tree(piece, rank, 0));
        }
      }
    }
    throw new IllegalStateException("rank " + rank + " gets no reduced elements");
  }
}
