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
import java.util.OptionalLong;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * What the forms of all-gather and reduce-scatter have in common: one block for each rank, of equal
 * sizes or, in the V forms, of different ones. Immutable.
 *
 * @param dataType the element type
 * @param counts elements of each rank's block, in rank order
 * @param reductionOrNull the reduction, or null for an all-gather
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

  /** The bytes of each rank's block, in rank order. */
  public List<Long> bytes() {
    return counts.stream().map(count -> count * dataType.size()).toList();
  }

  /**
   * The bytes of each rank's block in a round that takes up to {@code mostCount} elements of each.
   */
  public List<Long> bytesInRound(long mostCount, long round) {
    return counts.stream()
        .map(count -> Math.clamp(count - round * mostCount, 0, mostCount) * dataType.size())
        .toList();
  }

  /** Whether all blocks have one size. */
  public boolean isUniform() {
    return Collections.min(counts).equals(Collections.max(counts));
  }

  /** The bytes of all blocks. */
  public long totalBytes() {
    return totalBytes(Long.MAX_VALUE);
  }

  /** The bytes of all blocks in a round that takes up to so many elements of each. */
  public long totalBytes(long mostCount) {
    return counts.stream().mapToLong(count -> Math.min(count, mostCount)).sum() * dataType.size();
  }

  /**
   * Adds up a figure over all rounds that take up to {@code mostCount} elements of each block.
   *
   * @param figure of one round; may look only at which blocks are empty
   */
  public long sumOverRounds(long mostCount, ToLongFunction<Blocks> figure) {
    long sum = 0;
    long round = 0;
    OptionalLong next = nextEnd(mostCount, round);
    while (next.isPresent()) {
      long done = round * mostCount;
      List<Long> left = counts.stream().map(count -> Math.max(0, count - done)).toList();
      Blocks blocks = new Blocks(dataType, left, reductionOrNull);
      sum += figure.applyAsLong(blocks) * (next.getAsLong() - round);
      round = next.getAsLong();
      next = nextEnd(mostCount, round);
    }
    return sum;
  }

  /** After which round, later than one, some block is empty for the first time. */
  private OptionalLong nextEnd(long mostCount, long round) {
    return counts.stream()
        .filter(count -> count > round * mostCount)
        .mapToLong(count -> Math.ceilDiv(count, mostCount))
        .min();
  }

  /** The bytes of the largest block. */
  public long maxBytes() {
    return Collections.max(counts) * dataType.size();
  }
}
