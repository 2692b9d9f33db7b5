package dev.tutti.host.call;

import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.Arguments;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.Operation;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.param.BatchSendRecvParam.Item;
import dev.tutti.sdk.param.OpParam;
import java.util.List;
import java.util.function.LongUnaryOperator;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A call of a group: an operation with its type, counts and ranks, but without buffers. Equal calls
 * have equal plans. Immutable.
 *
 * <p>Counts are in elements, and the operation's parameter record defines them: the whole vector
 * for all-reduce, one rank's share for all-gather. Ranges are checked against a group when a
 * request is built.
 */
public final class CollectiveCall {

  private static final List<List<Long>> NO_COUNTS = List.of();
  private static final List<List<Item>> NO_ITEMS = List.of();

  private final Operation operation;
  private final DataType dataType;
  private final @Nullable ReduceOp reduceOp;
  private final long count;
  private final int root;
  private final int peer;
  private final List<List<Long>> counts;
  private final List<List<Item>> items;

  /** Elements of all entries of {@link #counts}, or -1 if one is negative or the sum overflows. */
  private final long totalCount;

  /** The largest entry of {@link #counts} or {@link #items}, at least 0. */
  private final long maxCount;

  private CollectiveCall(
      Operation operation,
      DataType dataType,
      @Nullable ReduceOp reduceOp,
      long count,
      int root,
      int peer,
      List<List<Long>> counts,
      List<List<Item>> items) {
    this.operation = operation;
    this.dataType = dataType;
    this.reduceOp = reduceOp;
    this.count = count;
    this.root = root;
    this.peer = peer;
    this.counts = counts;
    this.items = items;
    long total = 0;
    long max = 0;
    for (List<Long> row : counts) {
      for (long each : row) {
        total = each < 0 || total < 0 || total > Long.MAX_VALUE - each ? -1 : total + each;
        max = Math.max(max, each);
      }
    }
    for (List<Item> row : items) {
      for (Item item : row) {
        max = Math.max(max, item.count());
      }
    }
    this.totalCount = total;
    this.maxCount = max;
  }

  /** All-reduce of {@code count} elements per rank. */
  public static CollectiveCall allReduce(DataType dataType, ReduceOp reduceOp, long count) {
    Arguments.require(dataType, "dataType");
    Arguments.require(reduceOp, "reduceOp");
    return uniform(Operation.ALL_REDUCE, dataType, reduceOp, count, 0, 0);
  }

  /** Reduce of {@code count} elements per rank to the root. */
  public static CollectiveCall reduce(DataType dataType, ReduceOp reduceOp, long count, int root) {
    Arguments.require(dataType, "dataType");
    Arguments.require(reduceOp, "reduceOp");
    return uniform(Operation.REDUCE, dataType, reduceOp, count, root, 0);
  }

  /** Reduce-scatter; each rank gets {@code recvCount} elements. */
  public static CollectiveCall reduceScatter(DataType dataType, ReduceOp reduceOp, long recvCount) {
    Arguments.require(dataType, "dataType");
    Arguments.require(reduceOp, "reduceOp");
    return uniform(Operation.REDUCE_SCATTER, dataType, reduceOp, recvCount, 0, 0);
  }

  /** Reduce-scatter; rank r gets {@code recvCounts.get(r)} elements. */
  public static CollectiveCall reduceScatterV(
      DataType dataType, ReduceOp reduceOp, List<Long> recvCounts) {
    Arguments.require(dataType, "dataType");
    Arguments.require(reduceOp, "reduceOp");
    Arguments.require(recvCounts, "recvCounts");
    return varying(Operation.REDUCE_SCATTER_V, dataType, reduceOp, 0, List.of(recvCounts));
  }

  /** All-gather; each rank gives {@code sendCount} elements. */
  public static CollectiveCall allGather(DataType dataType, long sendCount) {
    Arguments.require(dataType, "dataType");
    return uniform(Operation.ALL_GATHER, dataType, null, sendCount, 0, 0);
  }

  /** All-gather; rank r gives {@code sendCounts.get(r)} elements. */
  public static CollectiveCall allGatherV(DataType dataType, List<Long> sendCounts) {
    Arguments.require(dataType, "dataType");
    Arguments.require(sendCounts, "sendCounts");
    return varying(Operation.ALL_GATHER_V, dataType, null, 0, List.of(sendCounts));
  }

  /** Broadcast of {@code count} elements of the root. */
  public static CollectiveCall broadcast(DataType dataType, long count, int root) {
    Arguments.require(dataType, "dataType");
    return uniform(Operation.BROADCAST, dataType, null, count, root, 0);
  }

  /** Gather to the root; each rank gives {@code sendCount} elements. */
  public static CollectiveCall gather(DataType dataType, long sendCount, int root) {
    Arguments.require(dataType, "dataType");
    return uniform(Operation.GATHER, dataType, null, sendCount, root, 0);
  }

  /** Gather to the root; rank r gives {@code sendCounts.get(r)} elements. */
  public static CollectiveCall gatherV(DataType dataType, List<Long> sendCounts, int root) {
    Arguments.require(dataType, "dataType");
    Arguments.require(sendCounts, "sendCounts");
    return varying(Operation.GATHER_V, dataType, null, root, List.of(sendCounts));
  }

  /** Scatter from the root; each rank gets {@code recvCount} elements. */
  public static CollectiveCall scatter(DataType dataType, long recvCount, int root) {
    Arguments.require(dataType, "dataType");
    return uniform(Operation.SCATTER, dataType, null, recvCount, root, 0);
  }

  /** Scatter from the root; rank r gets {@code recvCounts.get(r)} elements. */
  public static CollectiveCall scatterV(DataType dataType, List<Long> recvCounts, int root) {
    Arguments.require(dataType, "dataType");
    Arguments.require(recvCounts, "recvCounts");
    return varying(Operation.SCATTER_V, dataType, null, root, List.of(recvCounts));
  }

  /** All-to-all; each rank gives {@code countPerRank} elements to each rank. */
  public static CollectiveCall allToAll(DataType dataType, long countPerRank) {
    Arguments.require(dataType, "dataType");
    return uniform(Operation.ALL_TO_ALL, dataType, null, countPerRank, 0, 0);
  }

  /** All-to-all; rank r gives {@code counts.get(r).get(s)} elements to rank s. */
  public static CollectiveCall allToAllV(DataType dataType, List<List<Long>> counts) {
    Arguments.require(dataType, "dataType");
    Arguments.require(counts, "counts");
    return varying(Operation.ALL_TO_ALL_V, dataType, null, 0, counts);
  }

  /** Rank {@code source} sends {@code count} elements to rank {@code destination}. */
  public static CollectiveCall sendReceive(
      DataType dataType, long count, int source, int destination) {
    Arguments.require(dataType, "dataType");
    return uniform(Operation.SEND, dataType, null, count, source, destination);
  }

  /** Any number of transfers at once; {@code items.get(r)} are those of rank r. */
  public static CollectiveCall batchSendRecv(DataType dataType, List<List<Item>> items) {
    Arguments.require(dataType, "dataType");
    Arguments.require(items, "items");
    return new CollectiveCall(
        Operation.BATCH_SEND_RECV,
        dataType,
        null,
        0,
        0,
        0,
        NO_COUNTS,
        items.stream().map(List::copyOf).toList());
  }

  /** Barrier. */
  public static CollectiveCall barrier() {
    return uniform(Operation.BARRIER, DataType.INT8, null, 0, 0, 0);
  }

  /** Inclusive scan of {@code count} elements per rank. */
  public static CollectiveCall scan(DataType dataType, ReduceOp reduceOp, long count) {
    Arguments.require(dataType, "dataType");
    Arguments.require(reduceOp, "reduceOp");
    return uniform(Operation.SCAN, dataType, reduceOp, count, 0, 0);
  }

  /** Exclusive scan of {@code count} elements per rank. */
  public static CollectiveCall exclusiveScan(DataType dataType, ReduceOp reduceOp, long count) {
    Arguments.require(dataType, "dataType");
    Arguments.require(reduceOp, "reduceOp");
    return uniform(Operation.EXCLUSIVE_SCAN, dataType, reduceOp, count, 0, 0);
  }

  /**
   * Any operation with the same counts on all ranks; arguments that it does not have are ignored.
   *
   * @param operation any but the V forms and BATCH_SEND_RECV; SEND and RECEIVE are a transfer from
   *     {@code root} to the next rank
   * @param ranks the number of ranks of the group
   * @param count the count, as the operation's parameter record defines it
   * @throws TuttiException with {@link ErrorCode#INVALID_ARGUMENT} for the other operations
   */
  public static CollectiveCall of(
      Operation operation, int ranks, DataType dataType, ReduceOp reduceOp, long count, int root) {
    Arguments.require(operation, "operation");
    Arguments.require(dataType, "dataType");
    Arguments.require(reduceOp, "reduceOp");
    return switch (operation) {
      case ALL_REDUCE -> allReduce(dataType, reduceOp, count);
      case REDUCE -> reduce(dataType, reduceOp, count, root);
      case REDUCE_SCATTER -> reduceScatter(dataType, reduceOp, count);
      case ALL_GATHER -> allGather(dataType, count);
      case BROADCAST -> broadcast(dataType, count, root);
      case GATHER -> gather(dataType, count, root);
      case SCATTER -> scatter(dataType, count, root);
      case ALL_TO_ALL -> allToAll(dataType, count);
      case SEND, RECEIVE -> sendReceive(dataType, count, root, (root + 1) % Math.max(1, ranks));
      case BARRIER -> barrier();
      case SCAN -> scan(dataType, reduceOp, count);
      case EXCLUSIVE_SCAN -> exclusiveScan(dataType, reduceOp, count);
      case REDUCE_SCATTER_V, ALL_GATHER_V, GATHER_V, SCATTER_V, ALL_TO_ALL_V, BATCH_SEND_RECV ->
          throw new TuttiException(
              ErrorCode.INVALID_ARGUMENT,
              "%s has a count per rank; use the method of CollectiveCall that takes them",
              operation.label());
    };
  }

  private static CollectiveCall uniform(
      Operation operation,
      DataType dataType,
      @Nullable ReduceOp reduceOp,
      long count,
      int root,
      int peer) {
    return new CollectiveCall(
        operation, dataType, reduceOp, count, root, peer, NO_COUNTS, NO_ITEMS);
  }

  private static CollectiveCall varying(
      Operation operation,
      DataType dataType,
      @Nullable ReduceOp reduceOp,
      int root,
      List<List<Long>> counts) {
    List<List<Long>> copy = counts.stream().map(List::copyOf).toList();
    return new CollectiveCall(operation, dataType, reduceOp, 0, root, 0, copy, NO_ITEMS);
  }

  /** The same call with each count replaced by another. */
  public CollectiveCall withCounts(LongUnaryOperator change) {
    Arguments.require(change, "change");
    return new CollectiveCall(
        operation,
        dataType,
        reduceOp,
        change.applyAsLong(count),
        root,
        peer,
        changed(counts, change::applyAsLong),
        changed(
            items, item -> new Item(item.isSend(), item.peer(), change.applyAsLong(item.count()))));
  }

  private static <T> List<List<T>> changed(List<List<T>> rows, UnaryOperator<T> change) {
    return rows.isEmpty()
        ? rows
        : rows.stream().map(row -> row.stream().map(change).toList()).toList();
  }

  /** The operation; SEND for a transfer. */
  public Operation operation() {
    return operation;
  }

  /** The element type; INT8 for a barrier. */
  public DataType dataType() {
    return dataType;
  }

  /** The reduction, or null for operations that only move data. */
  public @Nullable ReduceOp reduceOp() {
    return reduceOp;
  }

  /** The element count, or 0 for the V forms. */
  public long count() {
    return count;
  }

  /** The root, or the source of a transfer; 0 where there is none. */
  public int root() {
    return root;
  }

  /** The destination of a transfer; 0 where there is none. */
  public int destination() {
    return peer;
  }

  /** One list of counts for the V forms, one per rank for all-to-all; else none. */
  public List<List<Long>> counts() {
    return counts;
  }

  /** Elements of all counts together, or -1 if one is negative or the sum overflows. */
  long totalCount() {
    return totalCount;
  }

  /** The largest of all counts of the V forms and batches, at least 0. */
  public long maxCount() {
    return maxCount;
  }

  /** The transfers of each rank of a batch; else none. */
  public List<List<Item>> items() {
    return items;
  }

  /** Whether only two ranks take part. */
  public boolean isTransfer() {
    return operation == Operation.SEND;
  }

  /**
   * The request as one rank sees it.
   *
   * @param comm the group and the rank
   * @param tag the caller's name for the operation
   * @param options values for the algorithm's parameters
   * @param inPlace whether input and output are the same memory
   * @return the parameter record, or null if the rank takes no part in a transfer
   * @throws TuttiException with {@link ErrorCode#INVALID_COUNT}, {@link ErrorCode#INVALID_RANK} or
   *     {@link ErrorCode#UNSUPPORTED_TYPE}
   */
  public @Nullable OpParam param(CommInfo comm, String tag, AlgOptions options, boolean inPlace) {
    Arguments.require(comm, "comm");
    Arguments.require(tag, "tag");
    Arguments.require(options, "options");
    return CallParams.of(this, comm, tag, options, inPlace);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return this == other || (other instanceof CollectiveCall that && isSame(that));
  }

  private boolean isSame(CollectiveCall that) {
    return operation == that.operation
        && dataType == that.dataType
        && reduceOp == that.reduceOp
        && count == that.count
        && root == that.root
        && peer == that.peer
        && counts.equals(that.counts)
        && items.equals(that.items);
  }

  @Override
  public int hashCode() {
    int hash = 31 * (31 * operation.hashCode() + dataType.hashCode()) + Long.hashCode(count);
    return 31 * (31 * (31 * hash + root) + peer) + counts.hashCode() + items.hashCode();
  }

  /** The call in words, for example {@code "allreduce of 16 float32, sum"}. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(isTransfer() ? "transfer" : operation.label());
    if (operation == Operation.BARRIER) {
      return text.toString();
    }
    String amount = counts.isEmpty() && items.isEmpty() ? count + " " : "varying counts of ";
    text.append(" of ").append(amount).append(dataType.label());
    if (reduceOp != null) {
      text.append(", ").append(reduceOp.label());
    }
    if (isTransfer()) {
      text.append(" from rank ").append(root).append(" to rank ").append(peer);
    } else if (hasRoot()) {
      text.append(", root ").append(root);
    }
    return text.toString();
  }

  private boolean hasRoot() {
    return switch (operation) {
      case REDUCE, BROADCAST, GATHER, GATHER_V, SCATTER, SCATTER_V -> true;
      case ALL_REDUCE,
          REDUCE_SCATTER,
          REDUCE_SCATTER_V,
          ALL_GATHER,
          ALL_GATHER_V,
          ALL_TO_ALL,
          ALL_TO_ALL_V,
          SEND,
          RECEIVE,
          BATCH_SEND_RECV,
          BARRIER,
          SCAN,
          EXCLUSIVE_SCAN ->
          false;
    };
  }
}
