package dev.tutti.verifier.data;

import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.param.OpParam;
import dev.tutti.verifier.element.Block;
import dev.tutti.verifier.semantics.OperationSemantics;
import dev.tutti.verifier.semantics.Piece;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Computes the expected results of an operation from the inputs alone, without plans, executors or
 * an engine. Immutable; several threads may call its methods at once.
 *
 * <p>Integers and copies are exact, and so are MAX and MIN. Floating-point sums and products depend
 * on the order of operands, so there are two checks. {@link #check} accepts every order. Its
 * tolerance is {@code (p-1)·ε·Σ|x|} for a sum of p operands and {@code (p-1)·ε·|Πx|} for a product,
 * where ε is the distance from 1 to the next number of the type. If all operands are integers and
 * every order is exact, the result must be exact. {@link #checkInRankOrder} accepts one order only:
 * from rank 0 up, and for 16-bit floats accumulated in float32 and rounded once. A NaN operand
 * makes the result NaN; all NaNs count as equal. An {@link #averaged average} is a sum that is
 * rounded, divided by the number of ranks and rounded again. Integer sums first wrap around, then
 * are divided towards zero.
 *
 * <p>Inputs and outputs are lists of one segment per rank, heap or native, each at least as large
 * as the rank's memory. For a rank without such memory, the segment may be {@link
 * MemorySegment#NULL}. For an operation in place, pass copies of the inputs that were made before
 * it.
 */
public final class Reference {

  /** The most mismatches that one check lists. */
  public static final int MAX_MISMATCHES = 16;

  private final int rankSize;
  private final DataType type;
  private final @Nullable ReduceOp reduceOp;
  private final List<Piece> pieces;
  private final boolean[] defined;

  /** The divisor of sums. */
  private final int divisor;

  private Reference(Reference sum, int divisor) {
    this.rankSize = sum.rankSize;
    this.type = sum.type;
    this.reduceOp = sum.reduceOp;
    this.pieces = sum.pieces;
    this.defined = sum.defined;
    this.divisor = divisor;
  }

  private Reference(List<? extends @Nullable OpParam> params) {
    OpParam any = null;
    for (OpParam param : params) {
      any = any == null ? param : any;
    }
    if (any == null) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT, "at least one rank must take part in the operation");
    }
    this.rankSize = params.size();
    this.type = OperationSemantics.dataType(any);
    this.reduceOp = OperationSemantics.reduceOp(any);
    this.pieces = List.copyOf(OperationSemantics.of(any, params));
    this.divisor = 1;
    this.defined = new boolean[rankSize];
    for (Piece piece : pieces) {
      for (int rank : piece.dstRanks) {
        defined[rank] = true;
      }
    }
  }

  /**
   * The results of an operation.
   *
   * @param params each rank's request in rank order, null for a rank that takes no part
   * @throws TuttiException with {@link ErrorCode#INVALID_ARGUMENT} or {@link
   *     ErrorCode#INVALID_COUNT} if the requests do not match each other
   */
  public static Reference of(List<? extends @Nullable OpParam> params) {
    return new Reference(params);
  }

  /**
   * The results of an operation whose counts are the same on all ranks.
   *
   * @param param the request as any rank sees it
   */
  public static Reference of(OpParam param) {
    List<OpParam> params = new ArrayList<>();
    for (int rank = 0; rank < param.comm().rankSize(); rank++) {
      params.add(param.withComm(param.comm().withRank(rank)));
    }
    return new Reference(params);
  }

  /**
   * The same results with sums divided by the number of ranks.
   *
   * @throws TuttiException with {@link ErrorCode#UNSUPPORTED} if the operation's reduction is not
   *     SUM
   */
  public Reference averaged() {
    if (reduceOp != ReduceOp.SUM) {
      throw new TuttiException(
          ErrorCode.UNSUPPORTED,
          "only sums have averages. Actual: %s",
          reduceOp == null ? "no reduction" : reduceOp.label());
    }
    return new Reference(this, rankSize);
  }

  /**
   * Whether the operation writes a rank's output. If so, it writes all of it; if not, the output
   * must not change. True also means that there is at least one element.
   */
  public boolean writesOutput(int rank) {
    return defined[rank];
  }

  /**
   * Computes one rank's output, combining operands from rank 0 up.
   *
   * @param rank the rank
   * @param inputs the input of each rank
   * @param output the memory to write; stays unchanged if {@link #writesOutput} is false
   */
  public void compute(int rank, List<MemorySegment> inputs, MemorySegment output) {
    Block sum = new Block();
    Block next = new Block();
    int size = type.size();
    for (Piece piece : pieces) {
      if (!contains(piece.dstRanks, rank)) {
        continue;
      }
      if (piece.srcRanks.length == 1) {
        MemorySegment.copy(
            inputs.get(piece.srcRanks[0]),
            piece.srcOffset * size,
            output,
            piece.dstOffset * size,
            piece.count * size);
        continue;
      }
      for (long done = 0; done < piece.count; done += Block.SIZE) {
        int n = (int) Math.min(Block.SIZE, piece.count - done);
        fold(piece, inputs, done, n, sum, next, op());
        if (divisor > 1) {
          sum.round(type, n);
          sum.divide(type, divisor, n);
        }
        sum.store(type, output, (piece.dstOffset + done) * size, n);
      }
    }
  }

  /**
   * Compares results with the expected ones, for any order of operands.
   *
   * @param inputs the input of each rank, as it was before the operation
   * @param outputs the output of each rank
   * @return the first mismatches, {@link #MAX_MISMATCHES} at most; empty if there is none
   */
  public List<Mismatch> check(List<MemorySegment> inputs, List<MemorySegment> outputs) {
    return comparison(false, inputs, outputs).all(pieces);
  }

  /** The same for the output of one rank. */
  public List<Mismatch> check(int rank, List<MemorySegment> inputs, MemorySegment output) {
    return comparison(false, inputs, only(rank, output)).all(piecesOf(rank));
  }

  /**
   * The number of wrong elements of all outputs, for any order of operands.
   *
   * @param inputs the input of each rank, as it was before the operation
   * @param outputs the output of each rank
   */
  public long countWrong(List<MemorySegment> inputs, List<MemorySegment> outputs) {
    return comparison(false, inputs, outputs).count(pieces);
  }

  /** The same for the output of one rank. */
  public long countWrong(int rank, List<MemorySegment> inputs, MemorySegment output) {
    return comparison(false, inputs, only(rank, output)).count(piecesOf(rank));
  }

  private ReferenceCheck comparison(
      boolean isInRankOrder, List<MemorySegment> inputs, List<MemorySegment> outputs) {
    return new ReferenceCheck(type, reduceOp, divisor, isInRankOrder, inputs, outputs);
  }

  private List<MemorySegment> only(int rank, MemorySegment output) {
    List<MemorySegment> outputs =
        new ArrayList<>(Collections.nCopies(rankSize, MemorySegment.NULL));
    outputs.set(rank, output);
    return outputs;
  }

  private List<Piece> piecesOf(int rank) {
    return pieces.stream()
        .filter(piece -> contains(piece.dstRanks, rank))
        .map(piece -> piece.to(rank))
        .toList();
  }

  /**
   * Compares results with the expected ones for operands combined from rank 0 up: all bits must be
   * equal.
   */
  public List<Mismatch> checkInRankOrder(List<MemorySegment> inputs, List<MemorySegment> outputs) {
    return comparison(true, inputs, outputs).all(pieces);
  }

  private ReduceOp op() {
    if (reduceOp == null) {
      throw new IllegalStateException("only reductions have pieces of several sources");
    }
    return reduceOp;
  }

  private void fold(
      Piece piece,
      List<MemorySegment> inputs,
      long done,
      int n,
      Block sum,
      Block next,
      ReduceOp op) {
    long offset = (piece.srcOffset + done) * type.size();
    sum.load(type, inputs.get(piece.srcRanks[0]), offset, n);
    for (int i = 1; i < piece.srcRanks.length; i++) {
      next.load(type, inputs.get(piece.srcRanks[i]), offset, n);
      sum.combine(type, op, next, n);
    }
  }

  private static boolean contains(int[] ranks, int rank) {
    for (int candidate : ranks) {
      if (candidate == rank) {
        return true;
      }
    }
    return false;
  }

  /** The number of ranks. */
  public int rankSize() {
    return rankSize;
  }
}
