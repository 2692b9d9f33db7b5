package dev.tutti.testkit.matrix;

import dev.tutti.sdk.NativeExecutorBase;
import dev.tutti.sdk.Operation;
import dev.tutti.sdk.WorkflowMode;
import dev.tutti.sdk.param.OpParam;

/**
 * The rounds that a case takes in OP_BASE mode, counted as {@link NativeExecutorBase} counts them.
 * A batch has no blocks of its own; its longest message is taken for a vector.
 */
abstract class Rounds extends NativeExecutorBase<OpParam> {

  /** The plans of larger groups are long enough with three rounds. */
  static final int MOST_RANKS_WITH_FOUR = 8;

  private Rounds() {}

  /** The most elements of one block of any rank. */
  static long longestBlock(CollectiveCase c) {
    return c.count() == 0 ? 0 : maxCountPerRound(request(c.withMode(WorkflowMode.GRAPH)));
  }

  /** The most elements of each block that the CCL buffers hold. */
  static long perRound(CollectiveCase c) {
    return maxCountPerRound(
        request(c.withMode(WorkflowMode.OP_BASE).withCount(c.comm().cclBufferSize())));
  }

  /** Bytes of a CCL buffer that one element of each block takes. */
  static long bytesPerElement(CollectiveCase c) {
    long blocks = Traits.hasBlocks(c.operation()) ? c.comm().rankSize() : 1;
    return blocks * c.dataType().size();
  }

  private static OpParam request(CollectiveCase c) {
    CollectiveCase known =
        c.operation() == Operation.BATCH_SEND_RECV
            ? CollectiveCase.of(Operation.ALL_REDUCE, c.topology())
                .withComm(c.comm())
                .withCount(c.count())
                .withDataType(c.dataType())
            : c;
    return CaseParams.first(known);
  }
}
