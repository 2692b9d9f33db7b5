package dev.tutti.verifier.matrix;

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
import dev.tutti.sdk.param.BatchSendRecvParam.Item;
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
import dev.tutti.verifier.semantics.OperationSemantics;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Turns cases into requests. In the V forms, block {@code b} has {@code (b + 1) mod 3} times the
 * case's count, so some blocks are empty. With an even seed, no block is empty: it has once or
 * twice the count. Rank {@code r} sends block {@code r + s} to rank {@code s}. A batch is an
 * exchange with both neighbours in a ring.
 */
final class CaseParams {

  private CaseParams() {}

  static List<@Nullable OpParam> of(CollectiveCase c) {
    List<@Nullable OpParam> params = new ArrayList<>();
    for (int rank = 0; rank < c.comm().rankSize(); rank++) {
      params.add(of(c, c.comm().withRank(rank)));
    }
    return params;
  }

  /** The request of the first rank that takes part. */
  static OpParam first(CollectiveCase c) {
    for (int rank = 0; rank < c.comm().rankSize(); rank++) {
      OpParam param = of(c, c.comm().withRank(rank));
      if (param != null) {
        return param;
      }
    }
    throw new TuttiException(
        ErrorCode.INVALID_ARGUMENT, "at least one rank must take part in a case. Actual: %s", c);
  }

  private static @Nullable OpParam of(CollectiveCase c, CommInfo comm) {
    AlgOptions options = c.options();
    DataType type = c.dataType();
    ReduceOp op = c.reduceOp();
    long count = c.count();
    int root = c.root();
    boolean inPlace = c.inPlace();
    return switch (c.operation()) {
      case ALL_REDUCE -> new AllReduceParam(comm, "", options, type, op, count, inPlace);
      case REDUCE -> new ReduceParam(comm, "", options, type, op, count, root, inPlace);
      case REDUCE_SCATTER -> new ReduceScatterParam(comm, "", options, type, op, count);
      case REDUCE_SCATTER_V -> new ReduceScatterVParam(comm, "", options, type, op, blocks(c));
      case ALL_GATHER -> new AllGatherParam(comm, "", options, type, count);
      case ALL_GATHER_V -> new AllGatherVParam(comm, "", options, type, blocks(c));
      case BROADCAST -> new BroadcastParam(comm, "", options, type, count, root, inPlace);
      case GATHER -> new GatherParam(comm, "", options, type, count, root);
      case GATHER_V -> new GatherVParam(comm, "", options, type, blocks(c), root);
      case SCATTER -> new ScatterParam(comm, "", options, type, count, root);
      case SCATTER_V -> new ScatterVParam(comm, "", options, type, blocks(c), root);
      case ALL_TO_ALL -> new AllToAllParam(comm, "", options, type, count);
      case ALL_TO_ALL_V -> allToAllV(c, comm);
      case SEND, RECEIVE -> transfer(c, comm);
      case BATCH_SEND_RECV ->
          new BatchSendRecvParam(comm, "", options, type, neighbours(comm, count), count);
      case BARRIER -> new BarrierParam(comm, "", options);
      case SCAN -> new ScanParam(comm, "", options, type, op, count, inPlace);
      case EXCLUSIVE_SCAN -> new ExclusiveScanParam(comm, "", options, type, op, count, inPlace);
    };
  }

  private static List<Long> blocks(CollectiveCase c) {
    List<Long> blocks = new ArrayList<>();
    for (int rank = 0; rank < c.comm().rankSize(); rank++) {
      blocks.add(block(rank, c));
    }
    return blocks;
  }

  private static long block(int number, CollectiveCase c) {
    int factor = c.seed() % 2 == 0 ? 1 + number % 2 : (number + 1) % 3;
    return Math.multiplyExact(c.count(), factor);
  }

  private static AllToAllVParam allToAllV(CollectiveCase c, CommInfo comm) {
    int ranks = comm.rankSize();
    List<Long> counts = new ArrayList<>();
    for (int peer = 0; peer < ranks; peer++) {
      counts.add(block(comm.rank() + peer, c));
    }
    long total = 0;
    long max = 0;
    for (int rank = 0; rank < ranks; rank++) {
      for (int peer = 0; peer < ranks; peer++) {
        total = Math.addExact(total, block(rank + peer, c));
        max = Math.max(max, block(rank + peer, c));
      }
    }
    return new AllToAllVParam(comm, "", c.options(), c.dataType(), counts, counts, total, max);
  }

  private static @Nullable OpParam transfer(CollectiveCase c, CommInfo comm) {
    int src = c.root();
    int dst = (src + 1) % comm.rankSize();
    if (comm.rank() == src && src != dst) {
      return new SendParam(comm, "", c.options(), c.dataType(), c.count(), dst);
    }
    if (comm.rank() == dst && src != dst) {
      return new ReceiveParam(comm, "", c.options(), c.dataType(), c.count(), src);
    }
    return null;
  }

  private static List<Item> neighbours(CommInfo comm, long count) {
    int ranks = comm.rankSize();
    int right = (comm.rank() + 1) % ranks;
    int left = (comm.rank() + ranks - 1) % ranks;
    return List.of(
        new Item(true, right, count),
        new Item(true, left, count / 2),
        new Item(false, left, count),
        new Item(false, right, count / 2));
  }

  static @Nullable CollectiveCase caseOf(OpParam param, long seed) {
    long count;
    int root = 0;
    switch (param) {
      case AllReduceParam p -> count = p.count();
      case ReduceParam p -> {
        count = p.count();
        root = p.root();
      }
      case ReduceScatterParam p -> count = p.recvCount();
      case AllGatherParam p -> count = p.sendCount();
      case BroadcastParam p -> {
        count = p.count();
        root = p.root();
      }
      case GatherParam p -> {
        count = p.sendCount();
        root = p.root();
      }
      case ScatterParam p -> {
        count = p.recvCount();
        root = p.root();
      }
      case AllToAllParam p -> count = p.countPerRank();
      case BarrierParam _ -> count = 0;
      case ScanParam p -> count = p.count();
      case ExclusiveScanParam p -> count = p.count();
      default -> {
        return null;
      }
    }
    ReduceOp op = OperationSemantics.reduceOp(param);
    return new CollectiveCase(
        param.operation(),
        param.comm(),
        count,
        OperationSemantics.dataType(param),
        op == null ? ReduceOp.SUM : op,
        root,
        param.inPlace(),
        param.options(),
        seed);
  }
}
