package dev.tutti.sdk;

import dev.tutti.sdk.param.AllGatherParam;
import dev.tutti.sdk.param.AllGatherVParam;
import dev.tutti.sdk.param.AllReduceParam;
import dev.tutti.sdk.param.AllToAllParam;
import dev.tutti.sdk.param.AllToAllVParam;
import dev.tutti.sdk.param.BarrierParam;
import dev.tutti.sdk.param.BatchSendRecvParam;
import dev.tutti.sdk.param.BroadcastParam;
import dev.tutti.sdk.param.ExclusiveScanParam;
import dev.tutti.sdk.param.GatherParam;
import dev.tutti.sdk.param.GatherVParam;
import dev.tutti.sdk.param.OpParam;
import dev.tutti.sdk.param.ReceiveParam;
import dev.tutti.sdk.param.ReduceParam;
import dev.tutti.sdk.param.ReduceScatterParam;
import dev.tutti.sdk.param.ReduceScatterVParam;
import dev.tutti.sdk.param.ScanParam;
import dev.tutti.sdk.param.ScatterParam;
import dev.tutti.sdk.param.ScatterVParam;
import dev.tutti.sdk.param.SendParam;
import java.util.Collections;
import java.util.List;

/**
 * The blocks of one rank's input and output, which are contiguous in memory, and the maxima that
 * all ranks agree on.
 *
 * @param elementSize bytes of one element
 * @param input elements of each block of this rank's input
 * @param output elements of each block of this rank's output
 * @param maxBlocks the most blocks any rank has on either side
 * @param maxCount the most elements of any block of any rank
 */
record BlockLayout(
    int elementSize, List<Long> input, List<Long> output, int maxBlocks, long maxCount) {

  static BlockLayout of(OpParam param) {
    int ranks = param.comm().rankSize();
    int rank = param.comm().rank();
    return switch (param) {
      case AllReduceParam p -> symmetric(p.dataType(), p.count(), 1);
      case ScanParam p -> symmetric(p.dataType(), p.count(), 1);
      case ExclusiveScanParam p ->
          new BlockLayout(
              p.dataType().size(), one(p.count()), onlyIf(rank > 0, one(p.count())), 1, p.count());
      case ReduceParam p ->
          new BlockLayout(
              p.dataType().size(),
              one(p.count()),
              onlyIf(rank == p.root(), one(p.count())),
              1,
              p.count());
      case BroadcastParam p ->
          new BlockLayout(
              p.dataType().size(),
              onlyIf(rank == p.root(), one(p.count())),
              one(p.count()),
              1,
              p.count());
      case ReduceScatterParam p ->
          new BlockLayout(
              p.dataType().size(),
              Collections.nCopies(ranks, p.recvCount()),
              one(p.recvCount()),
              ranks,
              p.recvCount());
      case ReduceScatterVParam p ->
          new BlockLayout(
              p.dataType().size(),
              p.recvCounts(),
              one(p.recvCounts().get(rank)),
              ranks,
              Collections.max(p.recvCounts()));
      case AllGatherParam p ->
          new BlockLayout(
              p.dataType().size(),
              one(p.sendCount()),
              Collections.nCopies(ranks, p.sendCount()),
              ranks,
              p.sendCount());
      case AllGatherVParam p ->
          new BlockLayout(
              p.dataType().size(),
              one(p.sendCounts().get(rank)),
              p.sendCounts(),
              ranks,
              Collections.max(p.sendCounts()));
      case GatherParam p ->
          new BlockLayout(
              p.dataType().size(),
              one(p.sendCount()),
              onlyIf(rank == p.root(), Collections.nCopies(ranks, p.sendCount())),
              ranks,
              p.sendCount());
      case GatherVParam p ->
          new BlockLayout(
              p.dataType().size(),
              one(p.sendCounts().get(rank)),
              onlyIf(rank == p.root(), p.sendCounts()),
              ranks,
              Collections.max(p.sendCounts()));
      case ScatterParam p ->
          new BlockLayout(
              p.dataType().size(),
              onlyIf(rank == p.root(), Collections.nCopies(ranks, p.recvCount())),
              one(p.recvCount()),
              ranks,
              p.recvCount());
      case ScatterVParam p ->
          new BlockLayout(
              p.dataType().size(),
              onlyIf(rank == p.root(), p.recvCounts()),
              one(p.recvCounts().get(rank)),
              ranks,
              Collections.max(p.recvCounts()));
      case AllToAllParam p -> symmetric(p.dataType(), p.countPerRank(), ranks);
      case AllToAllVParam p ->
          new BlockLayout(p.dataType().size(), p.sendCounts(), p.recvCounts(), ranks, p.maxCount());
      case SendParam p ->
          new BlockLayout(p.dataType().size(), one(p.count()), List.of(), 1, p.count());
      case ReceiveParam p ->
          new BlockLayout(p.dataType().size(), List.of(), one(p.count()), 1, p.count());
      case BarrierParam p -> new BlockLayout(1, List.of(), List.of(), 0, 0);
      case BatchSendRecvParam p ->
          throw new TuttiException(
              ErrorCode.INVALID_ARGUMENT,
              "the ranks of a batch do not agree on a number of blocks; extend CollExecutorBase and"
                  + " orchestrate its rounds yourself");
    };
  }

  private static BlockLayout symmetric(DataType type, long count, int blocks) {
    List<Long> counts = Collections.nCopies(blocks, count);
    return new BlockLayout(type.size(), counts, counts, blocks, count);
  }

  private static List<Long> one(long count) {
    return List.of(count);
  }

  private static List<Long> onlyIf(boolean condition, List<Long> counts) {
    return condition ? counts : List.of();
  }

  /**
   * The most elements of each block that one round of OP_BASE moves: what fits in a CCL buffer, in
   * whole cache lines where possible.
   */
  long countPerRound(CommInfo comm) {
    if (maxCount == 0) {
      return 0;
    }
    long fits = comm.cclBufferSize() / elementSize / maxBlocks;
    if (fits == 0) {
      throw new TuttiException(
          ErrorCode.RESOURCE_MISMATCH,
          "a CCL buffer must hold one element of %d bytes for each of %d blocks. Actual: %d bytes;"
              + " create the group with larger buffers",
          elementSize,
          maxBlocks,
          comm.cclBufferSize());
    }
    long line = 128 / elementSize;
    long aligned = fits >= line ? fits / line * line : fits;
    return Math.min(aligned, maxCount);
  }
}
