package dev.tutti.verifier.data;

import dev.tutti.plan.work.Work;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.verifier.element.Block;
import dev.tutti.verifier.semantics.Piece;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One comparison of results with the pieces of the operation. Not thread-safe. */
final class ReferenceCheck {

  private static final int STEPS = 1000;

  private final DataType type;
  private final int size;
  private final @Nullable ReduceOp op;
  private final int divisor;
  private final boolean isInRankOrder;
  private final List<MemorySegment> inputs;
  private final List<MemorySegment> outputs;
  private final Block expected = new Block();
  private final Block other = new Block();
  private final Block operand = new Block();
  private final List<Mismatch> mismatches = new ArrayList<>();
  private boolean countsAll;
  private long wrong;

  /** The number of elements in all pieces. */
  private long all;

  private long compared;

  private Work work = Work.current();

  /**
   * A comparison.
   *
   * @param divisor the divisor of sums; 1 for none
   */
  ReferenceCheck(
      DataType type,
      @Nullable ReduceOp op,
      int divisor,
      boolean isInRankOrder,
      List<MemorySegment> inputs,
      List<MemorySegment> outputs) {
    this.type = type;
    this.size = type.size();
    this.op = op;
    this.divisor = divisor;
    this.isInRankOrder = isInRankOrder;
    this.inputs = inputs;
    this.outputs = outputs;
  }

  /** The number of wrong elements. */
  long count(List<Piece> pieces) {
    countsAll = true;
    all(pieces);
    return wrong;
  }

  /** The first wrong elements. */
  List<Mismatch> all(List<Piece> pieces) {
    all = pieces.stream().mapToLong(piece -> piece.count).sum();
    try (Work begun = Work.begin("comparing results", STEPS)) {
      work = begun;
      compare(pieces);
    }
    return mismatches;
  }

  private void compare(List<Piece> pieces) {
    for (Piece piece : pieces) {
      if (isFull()) {
        return;
      }
      if (piece.srcRanks.length == 1 || op == null) {
        copies(piece);
      } else if (type.isInteger() || isInRankOrder || op == ReduceOp.MAX || op == ReduceOp.MIN) {
        exactReduction(piece, op);
      } else {
        realReduction(piece, op);
      }
      compared += piece.count;
      reach(0);
    }
  }

  /** Tells how much is compared so far, including some elements of the current piece. */
  private void reach(long done) {
    work.reach((int) ((double) STEPS * (compared + done) / Math.max(1, all)));
  }

  private boolean isFull() {
    return !countsAll && wrong >= Reference.MAX_MISMATCHES;
  }

  private void copies(Piece piece) {
    MemorySegment source = inputs.get(piece.srcRanks[0]);
    long bytes = piece.count * size;
    for (int rank : piece.dstRanks) {
      long from = 0;
      while (from < bytes && !isFull()) {
        long differs =
            MemorySegment.mismatch(
                source,
                piece.srcOffset * size + from,
                piece.srcOffset * size + bytes,
                outputs.get(rank),
                piece.dstOffset * size + from,
                piece.dstOffset * size + bytes);
        if (differs < 0) {
          break;
        }
        long element = (from + differs) / size;
        expected.load(type, source, (piece.srcOffset + element) * size, 1);
        loadActual(rank, piece.dstOffset + element, 1);
        mismatch(rank, piece.dstOffset + element, () -> expected.text(type, 0), 0);
        from = (element + 1) * size;
      }
    }
  }

  private void exactReduction(Piece piece, ReduceOp reduceOp) {
    for (long done = 0; done < piece.count && !isFull(); done += Block.SIZE) {
      reach(done);
      int n = (int) Math.min(Block.SIZE, piece.count - done);
      loadOperand(piece, 0, done, n, expected);
      for (int i = 1; i < piece.srcRanks.length; i++) {
        loadOperand(piece, i, done, n, other);
        expected.combine(type, reduceOp, other, n);
      }
      expected.round(type, n);
      if (divisor > 1) {
        expected.divide(type, divisor, n);
        expected.round(type, n);
      }
      boolean isFirstRight = false;
      for (int rank : piece.dstRanks) {
        if (isFirstRight && equalsFirst(piece, rank, done, n)) {
          continue;
        }
        loadActual(rank, piece.dstOffset + done, n);
        boolean isRight = true;
        for (int i = 0; i < n; i++) {
          if (!Block.same(type, expected, other, i)) {
            isRight = false;
            int index = i;
            mismatch(rank, piece.dstOffset + done + i, () -> expected.text(type, index), i);
          }
        }
        isFirstRight |= isRight && rank == piece.dstRanks[0];
      }
    }
  }

  private void realReduction(Piece piece, ReduceOp reduceOp) {
    RealSpread spread = new RealSpread(type, reduceOp, piece.srcRanks.length, divisor);
    for (long done = 0; done < piece.count && !isFull(); done += Block.SIZE) {
      reach(done);
      int n = (int) Math.min(Block.SIZE, piece.count - done);
      loadOperand(piece, 0, done, n, other);
      spread.start(other, n);
      for (int i = 1; i < piece.srcRanks.length; i++) {
        loadOperand(piece, i, done, n, other);
        spread.add(other, n);
      }
      boolean isFirstRight = false;
      for (int rank : piece.dstRanks) {
        if (isFirstRight && equalsFirst(piece, rank, done, n)) {
          continue;
        }
        loadActual(rank, piece.dstOffset + done, n);
        boolean isRight = true;
        for (int i = 0; i < n; i++) {
          if (!spread.accepts(i, other.reals[i]) && !spread.isExtreme(operands(piece, done + i))) {
            isRight = false;
            int index = i;
            mismatch(rank, piece.dstOffset + done + i, () -> spread.text(index), i);
          }
        }
        isFirstRight |= isRight && rank == piece.dstRanks[0];
      }
    }
  }

  /** Whether a rank's part of the result has the same bits as that of the first rank. */
  private boolean equalsFirst(Piece piece, int rank, long done, int n) {
    long start = (piece.dstOffset + done) * size;
    long end = start + (long) n * size;
    return MemorySegment.mismatch(
            outputs.get(piece.dstRanks[0]), start, end, outputs.get(rank), start, end)
        < 0;
  }

  /** All operands of one element. */
  private double[] operands(Piece piece, long element) {
    double[] values = new double[piece.srcRanks.length];
    for (int i = 0; i < values.length; i++) {
      loadOperand(piece, i, element, 1, operand);
      values[i] = operand.reals[0];
    }
    return values;
  }

  private void loadOperand(Piece piece, int source, long done, int n, Block into) {
    into.load(type, inputs.get(piece.srcRanks[source]), (piece.srcOffset + done) * size, n);
  }

  private void loadActual(int rank, long element, int n) {
    other.load(type, outputs.get(rank), element * size, n);
  }

  private void mismatch(int rank, long element, Supplier<String> wanted, int index) {
    wrong++;
    if (wrong <= Reference.MAX_MISMATCHES) {
      mismatches.add(new Mismatch(rank, element, wanted.get(), other.text(type, index)));
    }
  }
}
