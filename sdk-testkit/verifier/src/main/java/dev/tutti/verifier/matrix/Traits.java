package dev.tutti.verifier.matrix;

import dev.tutti.sdk.Operation;

/** The properties of operations that decide the fields of their requests. */
public final class Traits {

  private Traits() {}

  /** Whether an operation combines elements. */
  public static boolean reduces(Operation operation) {
    return switch (operation) {
      case ALL_REDUCE, REDUCE, REDUCE_SCATTER, REDUCE_SCATTER_V, SCAN, EXCLUSIVE_SCAN -> true;
      default -> false;
    };
  }

  /** Whether an operation has a root. */
  public static boolean hasRoot(Operation operation) {
    return switch (operation) {
      case REDUCE, BROADCAST, GATHER, GATHER_V, SCATTER, SCATTER_V -> true;
      default -> false;
    };
  }

  /** Whether an operation is a transfer from one rank to another. */
  public static boolean isTransfer(Operation operation) {
    return operation == Operation.SEND || operation == Operation.RECEIVE;
  }

  /** Whether an operation moves data. */
  public static boolean hasData(Operation operation) {
    return operation != Operation.BARRIER;
  }

  /** Whether the input and output of an operation can be one memory. */
  public static boolean canBeInPlace(Operation operation) {
    return switch (operation) {
      case ALL_REDUCE, REDUCE, BROADCAST, SCAN, EXCLUSIVE_SCAN -> true;
      default -> false;
    };
  }

  /** Whether the input or output of an operation has a block for each rank. */
  public static boolean hasBlocks(Operation operation) {
    return switch (operation) {
      case REDUCE_SCATTER,
          REDUCE_SCATTER_V,
          ALL_GATHER,
          ALL_GATHER_V,
          GATHER,
          GATHER_V,
          SCATTER,
          SCATTER_V,
          ALL_TO_ALL,
          ALL_TO_ALL_V ->
          true;
      default -> false;
    };
  }

  /** Whether the blocks of an operation have different sizes. */
  public static boolean isVForm(Operation operation) {
    return switch (operation) {
      case REDUCE_SCATTER_V, ALL_GATHER_V, GATHER_V, SCATTER_V, ALL_TO_ALL_V -> true;
      default -> false;
    };
  }
}
