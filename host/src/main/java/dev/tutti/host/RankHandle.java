package dev.tutti.host;

import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ReduceOp;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * One rank of a group, for the thread that is this rank: a blocking call per operation. All ranks
 * must make the same call; the last one to arrive checks that they do and runs it, the others wait.
 * Buffers may be larger than needed.
 *
 * <p>One thread at a time. A waiting rank spins, yields, then parks; an interrupt does not end the
 * wait but is kept for the caller, the deadline ends it.
 */
public final class RankHandle implements ReducingCalls, MovingCalls {

  private final Group group;
  private final RankCalls calls;
  private final int rank;
  private final CallOptions options;

  RankHandle(Group group, RankCalls calls, int rank, CallOptions options) {
    this.group = group;
    this.calls = calls;
    this.rank = rank;
    this.options = options;
  }

  /** This rank. */
  public int rank() {
    return rank;
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
    return new RankHandle(group, calls, rank, newOptions);
  }

  /** Waits until every rank has entered. */
  public void barrier() {
    run(CollectiveCall.barrier(), null, null);
  }

  @Override
  public void allReduce(
      MemorySegment input, MemorySegment output, DataType dataType, ReduceOp reduceOp) {
    long count = elements("input", input, dataType);
    run(CollectiveCall.allReduce(dataType, reduceOp, count), input, cut(output, input.byteSize()));
  }

  @Override
  public void reduce(
      MemorySegment input,
      @Nullable MemorySegment output,
      DataType dataType,
      ReduceOp reduceOp,
      int root) {
    long count = elements("input", input, dataType);
    run(
        CollectiveCall.reduce(dataType, reduceOp, count, root),
        input,
        rank == root ? cut(output, input.byteSize()) : null);
  }

  @Override
  public void reduceScatter(
      MemorySegment input, MemorySegment output, DataType dataType, ReduceOp reduceOp) {
    long count = elements("output", output, dataType);
    run(
        CollectiveCall.reduceScatter(dataType, reduceOp, count),
        cut(input, blocks(output)),
        output);
  }

  @Override
  public void scan(
      MemorySegment input, MemorySegment output, DataType dataType, ReduceOp reduceOp) {
    long count = elements("input", input, dataType);
    run(CollectiveCall.scan(dataType, reduceOp, count), input, cut(output, input.byteSize()));
  }

  @Override
  public void exclusiveScan(
      MemorySegment input, MemorySegment output, DataType dataType, ReduceOp reduceOp) {
    long count = elements("input", input, dataType);
    run(
        CollectiveCall.exclusiveScan(dataType, reduceOp, count),
        input,
        cut(output, input.byteSize()));
  }

  @Override
  public void broadcast(MemorySegment data, DataType dataType, int root) {
    long count = elements("buffer", data, dataType);
    run(CollectiveCall.broadcast(dataType, count, root), rank == root ? data : null, data);
  }

  @Override
  public void allGather(MemorySegment input, MemorySegment output, DataType dataType) {
    long count = elements("input", input, dataType);
    run(CollectiveCall.allGather(dataType, count), input, cut(output, blocks(input)));
  }

  @Override
  public void gather(
      MemorySegment input, @Nullable MemorySegment output, DataType dataType, int root) {
    long count = elements("input", input, dataType);
    run(
        CollectiveCall.gather(dataType, count, root),
        input,
        rank == root ? cut(output, blocks(input)) : null);
  }

  @Override
  public void scatter(
      @Nullable MemorySegment input, MemorySegment output, DataType dataType, int root) {
    long count = elements("output", output, dataType);
    run(
        CollectiveCall.scatter(dataType, count, root),
        rank == root ? cut(input, blocks(output)) : null,
        output);
  }

  @Override
  public void allToAll(MemorySegment input, MemorySegment output, DataType dataType) {
    long count = CountOf.block("the input of rank " + rank, input, dataType, rankSize());
    run(CollectiveCall.allToAll(dataType, count), input, cut(output, input.byteSize()));
  }

  @Override
  public void send(MemorySegment data, DataType dataType, int destination) {
    long count = elements("buffer", data, dataType);
    run(CollectiveCall.sendReceive(dataType, count, rank, destination), data, null);
  }

  @Override
  public void receive(MemorySegment data, DataType dataType, int source) {
    long count = elements("buffer", data, dataType);
    run(CollectiveCall.sendReceive(dataType, count, source, rank), null, data);
  }

  private long elements(String what, MemorySegment segment, DataType dataType) {
    return CountOf.elements(what, rank, segment, dataType);
  }

  /** The bytes of one block as large as a buffer per rank; the largest number if that overflows. */
  private long blocks(MemorySegment block) {
    return block.byteSize() > Long.MAX_VALUE / rankSize()
        ? Long.MAX_VALUE
        : block.byteSize() * rankSize();
  }

  /** The part of a buffer that is used; one that is too small is refused for all ranks later. */
  private static @Nullable MemorySegment cut(@Nullable MemorySegment segment, long bytes) {
    return segment == null || segment.byteSize() <= bytes ? segment : segment.asSlice(0, bytes);
  }

  private void run(
      CollectiveCall call, @Nullable MemorySegment input, @Nullable MemorySegment output) {
    calls.call(new RankCall(rank, call, options, input, output));
  }

  @Override
  public String toString() {
    return "rank " + rank + " of " + rankSize();
  }
}
