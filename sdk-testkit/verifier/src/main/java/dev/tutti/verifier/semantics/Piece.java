package dev.tutti.verifier.semantics;

/**
 * A range of elements of an operation's result: the reduction of the same range of several inputs,
 * or a copy of one input's range. All counts and offsets are in elements.
 */
public final class Piece {

  /** The number of elements. */
  public final long count;

  /** The ranks whose inputs are combined, ascending; one for a copy. */
  public final int[] srcRanks;

  /** The start of the range in each of those inputs. */
  public final long srcOffset;

  /** The ranks whose outputs get the result. */
  public final int[] dstRanks;

  /** The start of the range in each of those outputs. */
  public final long dstOffset;

  Piece(long count, int[] srcRanks, long srcOffset, int[] dstRanks, long dstOffset) {
    this.count = count;
    this.srcRanks = srcRanks;
    this.srcOffset = srcOffset;
    this.dstRanks = dstRanks;
    this.dstOffset = dstOffset;
  }

  /** The same piece with one output only. */
  public Piece to(int rank) {
    return new Piece(count, srcRanks, srcOffset, new int[] {rank}, dstOffset);
  }
}
