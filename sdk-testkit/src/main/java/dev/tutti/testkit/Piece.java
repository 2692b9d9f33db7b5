package dev.tutti.testkit;

/**
 * A run of elements of an operation's result: the reduction of the same run of several inputs, or
 * the copy of one. All counts and offsets are in elements.
 */
final class Piece {

  /** The number of elements. */
  final long count;

  /** The ranks whose inputs are combined, ascending; one for a copy. */
  final int[] srcRanks;

  /** Where the run starts in each of those inputs. */
  final long srcOffset;

  /** The ranks whose outputs get the result. */
  final int[] dstRanks;

  /** Where the run starts in each of those outputs. */
  final long dstOffset;

  Piece(long count, int[] srcRanks, long srcOffset, int[] dstRanks, long dstOffset) {
    this.count = count;
    this.srcRanks = srcRanks;
    this.srcOffset = srcOffset;
    this.dstRanks = dstRanks;
    this.dstOffset = dstOffset;
  }
}
