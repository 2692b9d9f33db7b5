package dev.tutti.cli.options;

import dev.tutti.host.call.CollectiveCall;
import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.Operation;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.param.BatchSendRecvParam.Item;
import dev.tutti.sdk.param.OpParam;
import dev.tutti.sdk.topology.Topology;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Calls whose counts are the same on all ranks, for every operation except the transfer. */
public final class UniformCalls {

  private UniformCalls() {}

  /**
   * The call of an operation. The V forms get equal blocks, and a batch of transfers becomes a
   * ring.
   */
  public static CollectiveCall of(
      Operation operation, int ranks, DataType type, ReduceOp op, long count, int root) {
    List<Long> counts = Collections.nCopies(ranks, count);
    return switch (operation) {
      case REDUCE_SCATTER_V -> CollectiveCall.reduceScatterV(type, op, counts);
      case ALL_GATHER_V -> CollectiveCall.allGatherV(type, counts);
      case GATHER_V -> CollectiveCall.gatherV(type, counts, root);
      case SCATTER_V -> CollectiveCall.scatterV(type, counts, root);
      case ALL_TO_ALL_V -> CollectiveCall.allToAllV(type, Collections.nCopies(ranks, counts));
      case BATCH_SEND_RECV -> CollectiveCall.batchSendRecv(type, ring(ranks, count));
      default -> CollectiveCall.of(operation, ranks, type, op, count, root);
    };
  }

  private static List<List<Item>> ring(int ranks, long count) {
    List<List<Item>> items = new ArrayList<>();
    for (int rank = 0; rank < ranks; rank++) {
      items.add(
          List.of(
              new Item(true, (rank + 1) % ranks, count),
              new Item(false, (rank + ranks - 1) % ranks, count)));
    }
    return items;
  }

  /** Each rank's view of a call; null for a rank that takes no part. */
  public static List<@Nullable OpParam> params(
      CollectiveCall call, Topology topology, boolean isInPlace) {
    CommInfo comm = CommInfo.of(0, topology);
    List<@Nullable OpParam> params = new ArrayList<>();
    for (int rank = 0; rank < topology.rankSize(); rank++) {
      params.add(call.param(comm.withRank(rank), "", AlgOptions.none(), isInPlace));
    }
    return params;
  }

  /** The message size for the choice of an algorithm; the same on all ranks that take part. */
  public static long messageBytes(List<@Nullable OpParam> params) {
    long bytes = 0;
    for (OpParam param : params) {
      bytes = param == null ? bytes : Math.max(bytes, param.messageBytes());
    }
    return bytes;
  }
}
