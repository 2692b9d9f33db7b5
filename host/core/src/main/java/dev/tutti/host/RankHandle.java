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
 * One rank of a group, for the thread that is this rank: a blocking call per operation, and {@link
 * #requests} for calls that do not wait. All ranks must make the same calls in the same order.
 * Buffers may be larger than needed.
 *
 * <p>One thread at a time. A waiting rank takes part in the work, spins, yields, then parks. An
 * interrupt ends the wait with {@link ErrorCode#INTERRUPTED} and leaves the thread's flag set; the
 * operation goes on, and its buffers are in use until the rank's next call has ended.
 */
public final class RankHandle implements ReducingCalls, MovingCalls {

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

  /** The number of this rank in the group that all others were made from. */
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

  /** The same rank, calling with options; all ranks must use equal ones. */
  public RankHandle with(CallOptions newOptions) {
    Arguments.require(newOptions, "newOptions");
    return new RankHandle(group, calls, subGroups, rank, newOptions);
  }

  /** Operations that are made once and started any number of times, without waiting for others. */
  public RankRequests requests() {
    return requests;
  }

  /** Any operation, with explicit counts; see {@link RankRequests#of}. */
  public void run(
      CollectiveCall call, @Nullable MemorySegment input, @Nullable MemorySegment output) {
    Arguments.require(call, "call");
    requests.of(call, input, output).run();
  }

  /**
   * Splits the group together with all its ranks: those of one colour get a group of their own, in
   * the order of their keys and, among equal keys, of their ranks here.
   *
   * @param colour 0 or more, or {@link Group#NO_COLOUR} to take no part
   * @param key any number
   * @return this rank in its new group, calling with this one's options; empty without a colour
   * @throws TuttiException with {@link ErrorCode#INVALID_ARGUMENT}, on all ranks, if a colour is
   *     negative; {@link ErrorCode#CALL_MISMATCH} if others do something else
   */
  public Optional<RankHandle> split(int colour, int key) {
    SplitPart part = new SplitPart(colour, key);
    calls.request(RankCall.ofSplit(rank, options, part)).run();
    return Optional.ofNullable(subGroups.placeOf(part)).map(made -> made.with(options));
  }

  /** Waits until every rank has entered. */
  public void barrier() {
    RankOperation known =
        recent.find(options, Operation.BARRIER, DataType.INT8, null, 0, null, null);
    if (known == null) {
      known = keep(requests.barrier(), 0, null, null);
    }
    known.run();
  }

  private RankOperation keep(
      RankRequest made, int root, @Nullable MemorySegment input, @Nullable MemorySegment output) {
    return recent.keep(options, root, input, output, made.operation());
  }

  @Override
  public void allReduce(
      MemorySegment input, MemorySegment output, DataType dataType, ReduceOp reduceOp) {
    RankOperation known =
        recent.find(options, Operation.ALL_REDUCE, dataType, reduceOp, 0, input, output);
    if (known == null) {
      known = keep(requests.allReduce(input, output, dataType, reduceOp), 0, input, output);
    }
    known.run();
  }

  @Override
  public void reduce(
      MemorySegment input,
      @Nullable MemorySegment output,
      DataType dataType,
      ReduceOp reduceOp,
      int root) {
    RankOperation known =
        recent.find(options, Operation.REDUCE, dataType, reduceOp, root, input, output);
    if (known == null) {
      known = keep(requests.reduce(input, output, dataType, reduceOp, root), root, input, output);
    }
    known.run();
  }

  @Override
  public void reduceScatter(
      MemorySegment input, MemorySegment output, DataType dataType, ReduceOp reduceOp) {
    RankOperation known =
        recent.find(options, Operation.REDUCE_SCATTER, dataType, reduceOp, 0, input, output);
    if (known == null) {
      known = keep(requests.reduceScatter(input, output, dataType, reduceOp), 0, input, output);
    }
    known.run();
  }

  @Override
  public void scan(
      MemorySegment input, MemorySegment output, DataType dataType, ReduceOp reduceOp) {
    RankOperation known =
        recent.find(options, Operation.SCAN, dataType, reduceOp, 0, input, output);
    if (known == null) {
      known = keep(requests.scan(input, output, dataType, reduceOp), 0, input, output);
    }
    known.run();
  }

  @Override
  public void exclusiveScan(
      MemorySegment input, MemorySegment output, DataType dataType, ReduceOp reduceOp) {
    RankOperation known =
        recent.find(options, Operation.EXCLUSIVE_SCAN, dataType, reduceOp, 0, input, output);
    if (known == null) {
      known = keep(requests.exclusiveScan(input, output, dataType, reduceOp), 0, input, output);
    }
    known.run();
  }

  @Override
  public void broadcast(MemorySegment data, DataType dataType, int root) {
    RankOperation known =
        recent.find(options, Operation.BROADCAST, dataType, null, root, data, data);
    if (known == null) {
      known = keep(requests.broadcast(data, dataType, root), root, data, data);
    }
    known.run();
  }

  @Override
  public void allGather(MemorySegment input, MemorySegment output, DataType dataType) {
    RankOperation known =
        recent.find(options, Operation.ALL_GATHER, dataType, null, 0, input, output);
    if (known == null) {
      known = keep(requests.allGather(input, output, dataType), 0, input, output);
    }
    known.run();
  }

  @Override
  public void gather(
      MemorySegment input, @Nullable MemorySegment output, DataType dataType, int root) {
    RankOperation known =
        recent.find(options, Operation.GATHER, dataType, null, root, input, output);
    if (known == null) {
      known = keep(requests.gather(input, output, dataType, root), root, input, output);
    }
    known.run();
  }

  @Override
  public void scatter(
      @Nullable MemorySegment input, MemorySegment output, DataType dataType, int root) {
    RankOperation known =
        recent.find(options, Operation.SCATTER, dataType, null, root, input, output);
    if (known == null) {
      known = keep(requests.scatter(input, output, dataType, root), root, input, output);
    }
    known.run();
  }

  @Override
  public void allToAll(MemorySegment input, MemorySegment output, DataType dataType) {
    RankOperation known =
        recent.find(options, Operation.ALL_TO_ALL, dataType, null, 0, input, output);
    if (known == null) {
      known = keep(requests.allToAll(input, output, dataType), 0, input, output);
    }
    known.run();
  }

  @Override
  public void send(MemorySegment data, DataType dataType, int destination) {
    RankOperation known =
        recent.find(options, Operation.SEND, dataType, null, destination, data, null);
    if (known == null) {
      known = keep(requests.send(data, dataType, destination), destination, data, null);
    }
    known.run();
  }

  @Override
  public void receive(MemorySegment data, DataType dataType, int source) {
    RankOperation known = recent.find(options, Operation.SEND, dataType, null, source, null, data);
    if (known == null) {
      known = keep(requests.receive(data, dataType, source), source, null, data);
    }
    known.run();
  }

  @Override
  public String toString() {
    return calls.name(rank) + " of " + rankSize();
  }
}
