package dev.tutti.host;

import dev.tutti.host.call.CallOptions;
import dev.tutti.host.call.CollectiveCall;
import dev.tutti.host.rank.RankCall;
import dev.tutti.host.rank.RankCalls;
import dev.tutti.host.rank.RankOperation;
import dev.tutti.host.rank.RecentCalls;
import dev.tutti.host.rank.SplitPart;
import dev.tutti.sdk.Arguments;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.Operation;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.TuttiException;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One rank of a group, for the thread of this rank: a blocking call per operation, and {@link
 * #requests} for calls that do not wait. All ranks must make the same calls in the same order.
 *
 * <p>All calls throw {@link TuttiException} with code CALL_MISMATCH if the ranks disagree, or if
 * another rank's call was refused. The rank whose call was refused gets its own error. In both
 * cases no data has moved, the call counts as made on all ranks, and the group stays usable.
 * DEADLINE_EXCEEDED means that some ranks did not arrive in time; other codes are those of {@link
 * RequestBuilder#build} and {@link Request#run}.
 *
 * <p>Only one thread at a time may use a handle. A waiting rank takes part in the work, spins,
 * yields, then parks. An interrupt ends the wait with {@link ErrorCode#INTERRUPTED} and leaves the
 * thread's flag set. The operation continues, and its buffers are in use until the rank's next call
 * has ended.
 */
public final class RankHandle implements ReducingCalls<RankHandle>, MovingCalls<RankHandle> {

  private final Group group;
  private final RankCalls calls;
  private final SubGroups subGroups;
  private final int rank;
  private final CallOptions options;
  private final RankRequests requests;
  private final RecentCalls recent;

  RankHandle(Group group, RankCalls calls, SubGroups subGroups, int rank, CallOptions options) {
    this.group = group;
    this.calls = calls;
    this.subGroups = subGroups;
    this.rank = rank;
    this.options = options;
    this.recent = calls.recent(rank);
    this.requests = new RankRequests(calls, rank, group.rankSize(), options);
  }

  /** This rank. */
  public int rank() {
    return rank;
  }

  /** The number of this rank in the group that all sub-groups come from. */
  public int worldRank() {
    return group.worldRank(rank);
  }

  /** The number of ranks of the group. */
  public int rankSize() {
    return group.rankSize();
  }

  /** The group. */
  public Group group() {
    return group;
  }

  /** The same rank with other options for its calls; all ranks must use equal options. */
  public RankHandle with(CallOptions newOptions) {
    Arguments.require(newOptions, "newOptions");
    return new RankHandle(group, calls, subGroups, rank, newOptions);
  }

  /**
   * Makes requests, which are built once and can be started any number of times without waiting for
   * other ranks.
   */
  public RankRequests requests() {
    return requests;
  }

  /**
   * Any operation, with explicit counts; see {@link RankRequests#of}.
   *
   * @return this rank
   */
  public RankHandle run(
      CollectiveCall call, @Nullable MemorySegment input, @Nullable MemorySegment output) {
    Arguments.require(call, "call");
    RankOperation known = recent.find(options, call, input, output);
    (known == null ? made(call, input, output) : known).run();
    return this;
  }

  private RankOperation made(
      CollectiveCall call, @Nullable MemorySegment input, @Nullable MemorySegment output) {
    RankOperation made;
    try {
      made = requests.of(call, input, output).operation();
    } catch (TuttiException e) {
      return call.isTransfer()
          ? calls.refusedTransfer(rank, call.root(), call.destination(), options, e)
          : calls.refused(rank, call.operation().label(), options, e);
    }
    return recent.keep(options, null, 0, input, output, made);
  }

  /**
   * Splits the group; all ranks must call this. The ranks of each colour get a new group. They are
   * ordered by their keys, and ranks with equal keys by their numbers here.
   *
   * @param colour 0 or more, or {@link Group#NO_COLOUR} to take no part
   * @param key any number
   * @return this rank in its new group, with the same options; empty without a colour
   * @throws TuttiException with {@link ErrorCode#INVALID_ARGUMENT} if the colour is negative;
   *     {@link ErrorCode#CALL_MISMATCH} if the colour of another rank is negative, or other ranks
   *     make another call
   */
  public Optional<RankHandle> split(int colour, int key) {
    SplitPart part = new SplitPart(colour, key);
    split(part).run();
    return Optional.ofNullable(subGroups.placeOf(part, rank)).map(made -> made.with(options));
  }

  private RankOperation split(SplitPart part) {
    try {
      subGroups.checkColour(part.colour(), rank);
      return calls.split(RankCall.ofSplit(rank, options, part));
    } catch (TuttiException e) {
      return calls.refused(rank, "split", options, e);
    }
  }

  /**
   * Waits until every rank has entered.
   *
   * @return this rank
   */
  public RankHandle barrier() {
    return call(Operation.BARRIER, DataType.INT8, null, 0, null, null);
  }

  @Override
  public RankHandle allReduce(
      MemorySegment input, MemorySegment output, DataType dataType, ReduceOp reduceOp) {
    return call(Operation.ALL_REDUCE, dataType, reduceOp, 0, input, output);
  }

  @Override
  public RankHandle reduce(
      MemorySegment input,
      @Nullable MemorySegment output,
      DataType dataType,
      ReduceOp reduceOp,
      int root) {
    return call(Operation.REDUCE, dataType, reduceOp, root, input, output);
  }

  @Override
  public RankHandle reduceScatter(
      MemorySegment input, MemorySegment output, DataType dataType, ReduceOp reduceOp) {
    return call(Operation.REDUCE_SCATTER, dataType, reduceOp, 0, input, output);
  }

  @Override
  public RankHandle scan(
      MemorySegment input, MemorySegment output, DataType dataType, ReduceOp reduceOp) {
    return call(Operation.SCAN, dataType, reduceOp, 0, input, output);
  }

  @Override
  public RankHandle exclusiveScan(
      MemorySegment input, MemorySegment output, DataType dataType, ReduceOp reduceOp) {
    return call(Operation.EXCLUSIVE_SCAN, dataType, reduceOp, 0, input, output);
  }

  @Override
  public RankHandle broadcast(MemorySegment data, DataType dataType, int root) {
    return call(Operation.BROADCAST, dataType, null, root, data, data);
  }

  @Override
  public RankHandle allGather(MemorySegment input, MemorySegment output, DataType dataType) {
    return call(Operation.ALL_GATHER, dataType, null, 0, input, output);
  }

  @Override
  public RankHandle gather(
      MemorySegment input, @Nullable MemorySegment output, DataType dataType, int root) {
    return call(Operation.GATHER, dataType, null, root, input, output);
  }

  @Override
  public RankHandle scatter(
      @Nullable MemorySegment input, MemorySegment output, DataType dataType, int root) {
    return call(Operation.SCATTER, dataType, null, root, input, output);
  }

  @Override
  public RankHandle allToAll(MemorySegment input, MemorySegment output, DataType dataType) {
    return call(Operation.ALL_TO_ALL, dataType, null, 0, input, output);
  }

  @Override
  public RankHandle send(MemorySegment data, DataType dataType, int destination) {
    return call(Operation.SEND, dataType, null, destination, data, null);
  }

  @Override
  public RankHandle receive(MemorySegment data, DataType dataType, int source) {
    return call(Operation.RECEIVE, dataType, null, source, null, data);
  }

  /**
   * A blocking call whose counts follow from its buffers.
   *
   * @param peer the root, or the other end of a transfer; 0 if there is none
   */
  private RankHandle call(
      Operation operation,
      DataType dataType,
      @Nullable ReduceOp reduceOp,
      int peer,
      @Nullable MemorySegment input,
      @Nullable MemorySegment output) {
    RankOperation known = recent.find(options, operation, dataType, reduceOp, peer, input, output);
    (known == null ? made(operation, dataType, reduceOp, peer, input, output) : known).run();
    return this;
  }

  private RankOperation made(
      Operation operation,
      DataType dataType,
      @Nullable ReduceOp reduceOp,
      int peer,
      @Nullable MemorySegment input,
      @Nullable MemorySegment output) {
    RankOperation made;
    try {
      made = requests.of(operation, dataType, reduceOp, peer, input, output).operation();
    } catch (TuttiException e) {
      return switch (operation) {
        case SEND -> calls.refusedTransfer(rank, rank, peer, options, e);
        case RECEIVE -> calls.refusedTransfer(rank, peer, rank, options, e);
        default -> calls.refused(rank, operation.label(), options, e);
      };
    }
    return recent.keep(options, operation, peer, input, output, made);
  }

  @Override
  public String toString() {
    return calls.name(rank) + " of " + rankSize();
  }
}
