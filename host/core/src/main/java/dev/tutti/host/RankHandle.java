package dev.tutti.host;

import dev.tutti.host.call.CallOptions;
import dev.tutti.host.call.CollectiveCall;
import dev.tutti.host.rank.RankCall;
import dev.tutti.host.rank.RankCalls;
import dev.tutti.host.rank.SplitPart;
import dev.tutti.sdk.Arguments;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.TuttiException;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One rank of a group, for the thread that is this rank: a blocking call per operation, and {@link
 * #requests} for calls that do not wait. All ranks must make the same call; the last one to arrive
 * checks that they do and runs it, the others wait. Buffers may be larger than needed.
 *
 * <p>One thread at a time. A waiting rank spins, yields, then parks; an interrupt does not end the
 * wait but is kept for the caller, the deadline ends it.
 */
public final class RankHandle implements ReducingCalls, MovingCalls {

  private final Group group;
  private final RankCalls calls;
  private final SubGroups subGroups;
  private final int rank;
  private final CallOptions options;
  private final RankRequests requests;

  RankHandle(Group group, RankCalls calls, SubGroups subGroups, int rank, CallOptions options) {
    this.group = group;
    this.calls = calls;
    this.subGroups = subGroups;
    this.rank = rank;
    this.options = options;
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
    requests.barrier().run();
  }

  @Override
  public void allReduce(
      MemorySegment input, MemorySegment output, DataType dataType, ReduceOp reduceOp) {
    Arguments.require(input, "input");
    Arguments.require(output, "output");
    Arguments.require(dataType, "dataType");
    Arguments.require(reduceOp, "reduceOp");
    requests.allReduce(input, output, dataType, reduceOp).run();
  }

  @Override
  public void reduce(
      MemorySegment input,
      @Nullable MemorySegment output,
      DataType dataType,
      ReduceOp reduceOp,
      int root) {
    Arguments.require(input, "input");
    Arguments.require(dataType, "dataType");
    Arguments.require(reduceOp, "reduceOp");
    requests.reduce(input, output, dataType, reduceOp, root).run();
  }

  @Override
  public void reduceScatter(
      MemorySegment input, MemorySegment output, DataType dataType, ReduceOp reduceOp) {
    Arguments.require(input, "input");
    Arguments.require(output, "output");
    Arguments.require(dataType, "dataType");
    Arguments.require(reduceOp, "reduceOp");
    requests.reduceScatter(input, output, dataType, reduceOp).run();
  }

  @Override
  public void scan(
      MemorySegment input, MemorySegment output, DataType dataType, ReduceOp reduceOp) {
    Arguments.require(input, "input");
    Arguments.require(output, "output");
    Arguments.require(dataType, "dataType");
    Arguments.require(reduceOp, "reduceOp");
    requests.scan(input, output, dataType, reduceOp).run();
  }

  @Override
  public void exclusiveScan(
      MemorySegment input, MemorySegment output, DataType dataType, ReduceOp reduceOp) {
    Arguments.require(input, "input");
    Arguments.require(output, "output");
    Arguments.require(dataType, "dataType");
    Arguments.require(reduceOp, "reduceOp");
    requests.exclusiveScan(input, output, dataType, reduceOp).run();
  }

  @Override
  public void broadcast(MemorySegment data, DataType dataType, int root) {
    Arguments.require(data, "data");
    Arguments.require(dataType, "dataType");
    requests.broadcast(data, dataType, root).run();
  }

  @Override
  public void allGather(MemorySegment input, MemorySegment output, DataType dataType) {
    Arguments.require(input, "input");
    Arguments.require(output, "output");
    Arguments.require(dataType, "dataType");
    requests.allGather(input, output, dataType).run();
  }

  @Override
  public void gather(
      MemorySegment input, @Nullable MemorySegment output, DataType dataType, int root) {
    Arguments.require(input, "input");
    Arguments.require(dataType, "dataType");
    requests.gather(input, output, dataType, root).run();
  }

  @Override
  public void scatter(
      @Nullable MemorySegment input, MemorySegment output, DataType dataType, int root) {
    Arguments.require(output, "output");
    Arguments.require(dataType, "dataType");
    requests.scatter(input, output, dataType, root).run();
  }

  @Override
  public void allToAll(MemorySegment input, MemorySegment output, DataType dataType) {
    Arguments.require(input, "input");
    Arguments.require(output, "output");
    Arguments.require(dataType, "dataType");
    requests.allToAll(input, output, dataType).run();
  }

  @Override
  public void send(MemorySegment data, DataType dataType, int destination) {
    Arguments.require(data, "data");
    Arguments.require(dataType, "dataType");
    requests.send(data, dataType, destination).run();
  }

  @Override
  public void receive(MemorySegment data, DataType dataType, int source) {
    Arguments.require(data, "data");
    Arguments.require(dataType, "dataType");
    requests.receive(data, dataType, source).run();
  }

  @Override
  public String toString() {
    return calls.name(rank) + " of " + rankSize();
  }
}
