package dev.tutti.verifier.symbol;

import dev.tutti.plan.GroupPlan;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.param.OpParam;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.verifier.semantics.OperationSemantics;
import dev.tutti.verifier.semantics.Piece;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The contents that an operation must leave in the memories of a plan. Immutable. */
final class Goal {

  /** The element type. */
  final DataType type;

  /** The reduction, or null if the operation has none. */
  final @Nullable ReduceOp op;

  final List<Piece> pieces;

  /** For each rank, whether the operation writes its output. */
  private final boolean[] hasResult;

  private final GroupPlan plan;

  /**
   * The goal of an operation.
   *
   * @throws TuttiException with {@link ErrorCode#INVALID_ARGUMENT} or {@link
   *     ErrorCode#INVALID_COUNT} if the requests contradict each other or do not match the plan
   */
  Goal(GroupPlan plan, List<? extends @Nullable OpParam> params) {
    OpParam any = null;
    for (OpParam param : params) {
      any = any == null ? param : any;
    }
    if (any == null || params.size() != plan.rankSize()) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT,
          "there must be one request for each of the plan's %d ranks, and at least one that is not"
              + " null. Actual: %s",
          plan.rankSize(),
          any == null ? "none" : params.size() + " requests");
    }
    this.plan = plan;
    this.type = OperationSemantics.dataType(any);
    this.op = OperationSemantics.reduceOp(any);
    this.pieces = List.copyOf(OperationSemantics.of(any, params));
    this.hasResult = new boolean[plan.rankSize()];
    for (Piece piece : pieces) {
      for (int rank : piece.dstRanks) {
        hasResult[rank] = true;
      }
    }
    for (int rank = 0; rank < plan.rankSize(); rank++) {
      if (inputBytes(rank) >= Value.MAX_PLACE) {
        throw new TuttiException(
            ErrorCode.INVALID_ARGUMENT,
            "an input must be smaller than %d bytes to be checked. Actual: rank %d has %d bytes",
            Value.MAX_PLACE,
            rank,
            inputBytes(rank));
      }
    }
  }

  /** The size of an element in bytes. */
  int elementBytes() {
    return type.size();
  }

  int rankSize() {
    return plan.rankSize();
  }

  /**
   * Whether the bits of a result depend on the order in which operands are combined. Integers wrap
   * around and bitwise operations have no carry, so every order gives the same bits. The maximum or
   * minimum of floats is one of the operands in every order, because NaN wins over all others and
   * -0.0 is less than +0.0. Rounding an operand changes nothing. That leaves sums and products of
   * floats.
   */
  boolean isOrderSensitive() {
    return !type.isInteger() && (op == ReduceOp.SUM || op == ReduceOp.PROD);
  }

  /**
   * Whether every action rounds what it stores. Actions accumulate 16-bit floats in float32, so one
   * action that reduces three operands gives other bits than two actions.
   */
  boolean isRoundedByActions() {
    return isOrderSensitive() && type.size() == 2;
  }

  /** Whether the operation gives a rank a result; it then writes the rank's whole output. */
  boolean hasResult(int rank) {
    return hasResult[rank];
  }

  long inputBytes(int rank) {
    return plan.rank(rank).memSize(TransportMemType.PARAM_INPUT);
  }

  long outputBytes(int rank) {
    return plan.rank(rank).memSize(TransportMemType.PARAM_OUTPUT);
  }

  /**
   * The number of bytes at the start of a rank's input that may change, because they are also its
   * output.
   */
  long changeableInput(int rank) {
    return plan.inPlace() && hasResult[rank] ? outputBytes(rank) : 0;
  }

  /** Whether a rank has a separate output that must not change. */
  boolean mustLeaveOutput(int rank) {
    return !plan.inPlace() && !hasResult[rank];
  }
}
