package dev.tutti.verifier.semantics;

import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.TuttiException;
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
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The result of each operation, in pieces. */
public final class OperationSemantics {

  private final int ranks;
  private final int[] all;
  private final List<Piece> pieces = new ArrayList<>();

  private OperationSemantics(int ranks) {
    this.ranks = ranks;
    this.all = IntStream.range(0, ranks).toArray();
  }

  /**
   * The pieces of an operation; {@code params} has one entry per rank, and {@code any} is one of
   * them.
   */
  public static List<Piece> of(OpParam any, List<? extends @Nullable OpParam> params) {
    OperationSemantics pieces = new OperationSemantics(params.size());
    pieces.addAll(any, params);
    return pieces.pieces;
  }

  private void addAll(OpParam any, List<? extends @Nullable OpParam> params) {
    switch (any) {
      case AllReduceParam p -> add(p.count(), all, 0, all, 0);
      case ReduceParam p -> add(p.count(), all, 0, only(p.root()), 0);
      case ReduceScatterParam p -> reduceScatter(same(p.recvCount()));
      case ReduceScatterVParam p -> reduceScatter(p.recvCounts());
      case AllGatherParam p -> gather(same(p.sendCount()), all);
      case AllGatherVParam p -> gather(p.sendCounts(), all);
      case GatherParam p -> gather(same(p.sendCount()), only(p.root()));
      case GatherVParam p -> gather(p.sendCounts(), only(p.root()));
      case ScatterParam p -> scatter(same(p.recvCount()), p.root());
      case ScatterVParam p -> scatter(p.recvCounts(), p.root());
      case BroadcastParam p -> add(p.count(), only(p.root()), 0, all, 0);
      case AllToAllParam p -> allToAll(p.countPerRank());
      case AllToAllVParam p -> allToAllV(params);
      case ScanParam p -> scan(p.count(), 1);
      case ExclusiveScanParam p -> scan(p.count(), 0);
      case SendParam p -> transfers(params);
      case ReceiveParam p -> transfers(params);
      case BatchSendRecvParam p -> batch(params);
      case BarrierParam p -> {}
    }
  }

  /** The element type; bytes for an operation that has no data. */
  public static DataType dataType(OpParam param) {
    return switch (param) {
      case AllReduceParam p -> p.dataType();
      case ReduceParam p -> p.dataType();
      case ReduceScatterParam p -> p.dataType();
      case ReduceScatterVParam p -> p.dataType();
      case AllGatherParam p -> p.dataType();
      case AllGatherVParam p -> p.dataType();
      case GatherParam p -> p.dataType();
      case GatherVParam p -> p.dataType();
      case ScatterParam p -> p.dataType();
      case ScatterVParam p -> p.dataType();
      case BroadcastParam p -> p.dataType();
      case AllToAllParam p -> p.dataType();
      case AllToAllVParam p -> p.dataType();
      case ScanParam p -> p.dataType();
      case ExclusiveScanParam p -> p.dataType();
      case SendParam p -> p.dataType();
      case ReceiveParam p -> p.dataType();
      case BatchSendRecvParam p -> p.dataType();
      case BarrierParam p -> DataType.UINT8;
    };
  }

  /** The reduction, or null for an operation that has none. */
  public static @Nullable ReduceOp reduceOp(OpParam param) {
    return switch (param) {
      case AllReduceParam p -> p.reduceOp();
      case ReduceParam p -> p.reduceOp();
      case ReduceScatterParam p -> p.reduceOp();
      case ReduceScatterVParam p -> p.reduceOp();
      case ScanParam p -> p.reduceOp();
      case ExclusiveScanParam p -> p.reduceOp();
      case AllGatherParam _,
          AllGatherVParam _,
          GatherParam _,
          GatherVParam _,
          ScatterParam _,
          ScatterVParam _,
          BroadcastParam _,
          AllToAllParam _,
          AllToAllVParam _,
          SendParam _,
          ReceiveParam _,
          BatchSendRecvParam _,
          BarrierParam _ ->
          null;
    };
  }

  /**
   * Whether the request has so much data that no slice needs to be empty: at least one element per
   * rank if an algorithm slices the data by rank, and one element in every block if the data comes
   * in blocks.
   */
  public static boolean fillsEverySlice(OpParam param) {
    int ranks = param.comm().rankSize();
    return switch (param) {
      case AllReduceParam p -> p.count() >= ranks;
      case ReduceParam p -> p.count() >= ranks;
      case BroadcastParam p -> p.count() >= ranks;
      case ScanParam p -> p.count() >= ranks;
      case ExclusiveScanParam p -> p.count() >= ranks;
      case ReduceScatterParam p -> p.recvCount() > 0;
      case ReduceScatterVParam p -> !p.recvCounts().contains(0L);
      case AllGatherParam p -> p.sendCount() > 0;
      case AllGatherVParam p -> !p.sendCounts().contains(0L);
      case GatherParam p -> p.sendCount() > 0;
      case GatherVParam p -> !p.sendCounts().contains(0L);
      case ScatterParam p -> p.recvCount() > 0;
      case ScatterVParam p -> !p.recvCounts().contains(0L);
      case AllToAllParam p -> p.countPerRank() > 0;
      case AllToAllVParam p -> !p.sendCounts().contains(0L) && !p.recvCounts().contains(0L);
      case SendParam p -> p.count() > 0;
      case ReceiveParam p -> p.count() > 0;
      case BatchSendRecvParam p -> p.items().stream().allMatch(item -> item.count() > 0);
      case BarrierParam p -> true;
    };
  }

  private void add(long count, int[] srcRanks, long srcOffset, int[] dstRanks, long dstOffset) {
    if (count > 0) {
      pieces.add(new Piece(count, srcRanks, srcOffset, dstRanks, dstOffset));
    }
  }

  private static int[] only(int rank) {
    return new int[] {rank};
  }

  private List<Long> same(long count) {
    return Collections.nCopies(ranks, count);
  }

  private void reduceScatter(List<Long> counts) {
    long start = 0;
    for (int rank = 0; rank < ranks; rank++) {
      add(counts.get(rank), all, start, only(rank), 0);
      start += counts.get(rank);
    }
  }

  private void gather(List<Long> counts, int[] dstRanks) {
    long start = 0;
    for (int rank = 0; rank < ranks; rank++) {
      add(counts.get(rank), only(rank), 0, dstRanks, start);
      start += counts.get(rank);
    }
  }

  private void scatter(List<Long> counts, int root) {
    long start = 0;
    for (int rank = 0; rank < ranks; rank++) {
      add(counts.get(rank), only(root), start, only(rank), 0);
      start += counts.get(rank);
    }
  }

  private void scan(long count, int own) {
    for (int rank = 1 - own; rank < ranks; rank++) {
      add(count, IntStream.range(0, rank + own).toArray(), 0, only(rank), 0);
    }
  }

  private void allToAll(long count) {
    for (int src = 0; src < ranks; src++) {
      for (int dst = 0; dst < ranks; dst++) {
        add(count, only(src), dst * count, only(dst), src * count);
      }
    }
  }

  private void allToAllV(List<? extends @Nullable OpParam> params) {
    long[] received = new long[ranks];
    for (int src = 0; src < ranks; src++) {
      AllToAllVParam sender = at(params, src, AllToAllVParam.class);
      long sent = 0;
      for (int dst = 0; dst < ranks; dst++) {
        long count = sender.sendCounts().get(dst);
        long wanted = at(params, dst, AllToAllVParam.class).recvCounts().get(src);
        requireEqual(src, dst, count, wanted);
        add(count, only(src), sent, only(dst), received[dst]);
        sent += count;
        received[dst] += count;
      }
    }
  }

  private void transfers(List<? extends @Nullable OpParam> params) {
    for (int rank = 0; rank < ranks; rank++) {
      if (params.get(rank) instanceof SendParam send) {
        ReceiveParam receive = at(params, send.dstRank(), ReceiveParam.class);
        requireEqual(rank, send.dstRank(), send.count(), receive.count());
        add(send.count(), only(rank), 0, only(send.dstRank()), 0);
      }
    }
  }

  private void batch(List<? extends @Nullable OpParam> params) {
    for (int src = 0; src < ranks; src++) {
      for (int dst = 0; dst < ranks; dst++) {
        List<long[]> sends = items(at(params, src, BatchSendRecvParam.class), true, dst);
        List<long[]> receives = items(at(params, dst, BatchSendRecvParam.class), false, src);
        for (int i = 0; i < Math.max(sends.size(), receives.size()); i++) {
          long sent = i < sends.size() ? sends.get(i)[1] : 0;
          requireEqual(src, dst, sent, i < receives.size() ? receives.get(i)[1] : 0);
          if (sent > 0) {
            add(sent, only(src), sends.get(i)[0], only(dst), receives.get(i)[0]);
          }
        }
      }
    }
  }

  /** The offset and the count of each transfer between a rank and one peer, in order. */
  private static List<long[]> items(BatchSendRecvParam param, boolean isSend, int peer) {
    List<long[]> found = new ArrayList<>();
    long offset = 0;
    for (BatchSendRecvParam.Item item : param.items()) {
      if (item.isSend() == isSend) {
        if (item.peer() == peer) {
          found.add(new long[] {offset, item.count()});
        }
        offset += item.count();
      }
    }
    return found;
  }

  private static <P extends OpParam> P at(
      List<? extends @Nullable OpParam> params, int rank, Class<P> type) {
    OpParam param = params.get(rank);
    if (!type.isInstance(param)) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT,
          "rank %d must take part with %s. Actual: %s",
          rank,
          type.getSimpleName(),
          param == null ? "nothing" : param.getClass().getSimpleName());
    }
    return type.cast(param);
  }

  private static void requireEqual(int src, int dst, long sent, long received) {
    if (sent != received) {
      throw new TuttiException(
          ErrorCode.INVALID_COUNT,
          "rank %d sends %d element%s to rank %d, which expects %d",
          src,
          sent,
          sent == 1 ? "" : "s",
          dst,
          received);
    }
  }
}
