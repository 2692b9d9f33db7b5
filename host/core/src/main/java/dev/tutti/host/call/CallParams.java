package dev.tutti.host.call;

import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.CommInfo;
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
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Turns a call of a group into the parameter record of a rank. */
final class CallParams {

  private CallParams() {}

  static @Nullable OpParam of(
      CollectiveCall call, CommInfo comm, String tag, AlgOptions options, boolean inPlace) {
    DataType type = call.dataType();
    long count = call.count();
    int root = call.root();
    return switch (call.operation()) {
      case ALL_REDUCE ->
          new AllReduceParam(comm, tag, options, type, reduceOp(call), count, inPlace);
      case REDUCE ->
          new ReduceParam(comm, tag, options, type, reduceOp(call), count, root, inPlace);
      case REDUCE_SCATTER ->
          new ReduceScatterParam(comm, tag, options, type, reduceOp(call), count);
      case REDUCE_SCATTER_V ->
          new ReduceScatterVParam(comm, tag, options, type, reduceOp(call), counts(call));
      case ALL_GATHER -> new AllGatherParam(comm, tag, options, type, count);
      case ALL_GATHER_V -> new AllGatherVParam(comm, tag, options, type, counts(call));
      case BROADCAST -> new BroadcastParam(comm, tag, options, type, count, root, inPlace);
      case GATHER -> new GatherParam(comm, tag, options, type, count, root);
      case GATHER_V -> new GatherVParam(comm, tag, options, type, counts(call), root);
      case SCATTER -> new ScatterParam(comm, tag, options, type, count, root);
      case SCATTER_V -> new ScatterVParam(comm, tag, options, type, counts(call), root);
      case ALL_TO_ALL -> new AllToAllParam(comm, tag, options, type, count);
      case ALL_TO_ALL_V -> allToAllV(call, comm, tag, options);
      case SEND, RECEIVE -> transfer(call, comm, tag, options);
      case BATCH_SEND_RECV -> batch(call, comm, tag, options);
      case BARRIER -> new BarrierParam(comm, tag, options);
      case SCAN -> new ScanParam(comm, tag, options, type, reduceOp(call), count, inPlace);
      case EXCLUSIVE_SCAN ->
          new ExclusiveScanParam(comm, tag, options, type, reduceOp(call), count, inPlace);
    };
  }

  private static ReduceOp reduceOp(CollectiveCall call) {
    return Objects.requireNonNull(call.reduceOp(), "reduceOp");
  }

  private static List<Long> counts(CollectiveCall call) {
    return call.counts().getFirst();
  }

  private static @Nullable OpParam transfer(
      CollectiveCall call, CommInfo comm, String tag, AlgOptions options) {
    checkRank("source", call.root(), comm);
    checkRank("destination", call.destination(), comm);
    if (comm.rank() == call.root()) {
      return new SendParam(comm, tag, options, call.dataType(), call.count(), call.destination());
    }
    if (comm.rank() == call.destination()) {
      return new ReceiveParam(comm, tag, options, call.dataType(), call.count(), call.root());
    }
    return null;
  }

  private static void checkRank(String name, int rank, CommInfo comm) {
    if (rank < 0 || rank >= comm.rankSize()) {
      throw new TuttiException(
          ErrorCode.INVALID_RANK,
          "%s must be 0 to %d. Actual: %d",
          name,
          comm.rankSize() - 1,
          rank);
    }
  }

  private static AllToAllVParam allToAllV(
      CollectiveCall call, CommInfo comm, String tag, AlgOptions options) {
    List<List<Long>> counts = call.counts();
    checkSquare(counts, comm);
    List<Long> received = new ArrayList<>(comm.rankSize());
    counts.forEach(row -> received.add(row.get(comm.rank())));
    return new AllToAllVParam(
        comm,
        tag,
        options,
        call.dataType(),
        counts.get(comm.rank()),
        received,
        call.totalCount(),
        call.maxCount());
  }

  private static void checkSquare(List<List<Long>> counts, CommInfo comm) {
    boolean isSquare = counts.size() == comm.rankSize();
    for (List<Long> row : counts) {
      isSquare &= row.size() == comm.rankSize();
    }
    if (!isSquare) {
      throw new TuttiException(
          ErrorCode.INVALID_COUNT,
          "counts must have one row per rank with one entry per rank. Actual: %d rows, %d ranks",
          counts.size(),
          comm.rankSize());
    }
  }

  private static BatchSendRecvParam batch(
      CollectiveCall call, CommInfo comm, String tag, AlgOptions options) {
    if (call.items().size() != comm.rankSize()) {
      throw new TuttiException(
          ErrorCode.INVALID_COUNT,
          "a batch must have one list of items per rank. Actual: %d lists, %d ranks",
          call.items().size(),
          comm.rankSize());
    }
    return new BatchSendRecvParam(
        comm, tag, options, call.dataType(), call.items().get(comm.rank()), call.maxCount());
  }
}
