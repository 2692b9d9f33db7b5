package dev.tutti.plugins.template;

import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.param.AllGatherParam;
import dev.tutti.sdk.param.AllGatherVParam;
import dev.tutti.sdk.param.OpParam;
import dev.tutti.sdk.param.ReduceScatterParam;
import dev.tutti.sdk.param.ReduceScatterVParam;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The blocks of an all-gather or a reduce-scatter: one for each rank, of equal sizes or, in the V
 * forms, of different sizes. Immutable.
 *
 * @param dataType the element type
 * @param counts elements of each rank's block, in rank order
 * @param reductionOrNull the reduction; null for an all-gather
 */
public record Blocks(DataType dataType, List<Long> counts, @Nullable ReduceOp reductionOrNull) {

  /**
   * The blocks of a request.
   *
   * @throws TuttiException with {@link ErrorCode#INVALID_ARGUMENT} if it is neither an all-gather
   *     nor a reduce-scatter
   */
  public static Blocks of(OpParam param) {
    int ranks = param.comm().rankSize();
    return switch (param) {
      case AllGatherParam p ->
          new Blocks(p.dataType(), Collections.nCopies(ranks, p.sendCount()), null);
      case AllGatherVParam p -> new Blocks(p.dataType(), p.sendCounts(), null);
      case ReduceScatterParam p ->
          new Blocks(p.dataType(), Collections.nCopies(ranks, p.recvCount()), p.reduceOp());
      case ReduceScatterVParam p -> new Blocks(p.dataType(), p.recvCounts(), p.reduceOp());
      default ->
          throw new TuttiException(
              ErrorCode.INVALID_ARGUMENT,
              "an all-gather or a reduce-scatter has one block for each rank. Actual: %s",
              param.operation().label());
    };
  }

  /**
   * The reduction.
   *
   * @throws TuttiException with {@link ErrorCode#INVALID_ARGUMENT} if there is none
   */
  public ReduceOp reduceOp() {
    if (reductionOrNull == null) {
      throw new TuttiException(ErrorCode.INVALID_ARGUMENT, "an all-gather has no reduction");
    }
    return reductionOrNull;
  }

  /** The number of ranks. */
  public int size() {
    return counts.size();
  }

  /** The bytes of one rank's block. */
  public long bytes(int rank) {
    return counts.get(rank) * dataType.size();
  }

  /** Whether all blocks have the same size. */
  public boolean isUniform() {
    return Collections.min(counts).equals(Collections.max(counts));
  }

  /** The bytes of all blocks. */
  public long totalBytes() {
    return totalBytes(Long.MAX_VALUE);
  }

  /** The bytes of all blocks in a round with at most {@code mostCount} elements of each. */
  public long totalBytes(long mostCount) {
    return counts.stream().mapToLong(count -> Math.min(count, mostCount)).sum() * dataType.size();
  }

  /** The bytes of the largest block. */
  public long maxBytes() {
    return Collections.max(counts) * dataType.size();
  }
}
