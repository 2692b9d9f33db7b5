package dev.tutti.host;

import dev.tutti.host.call.CallOptions;
import dev.tutti.host.call.CollectiveCall;
import dev.tutti.host.call.Layout;
import dev.tutti.host.rank.RankCall;
import dev.tutti.host.rank.RankCalls;
import dev.tutti.sdk.Arguments;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ReduceOp;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Makes the requests of one rank: its parts in operations of the group, to be started when it
 * likes. All ranks must make and start the same. Counts follow from the buffers, as in the blocking
 * methods of {@link RankHandle}; with layouts, from the whole repetitions that fit.
 *
 * <p>All methods throw {@link dev.tutti.sdk.TuttiException} with code INVALID_COUNT if a buffer is
 * not whole elements or blocks.
 *
 * <pre>{@code
 * RankRequest request = rank.requests().allReduce(in, out, DataType.FLOAT32, ReduceOp.SUM);
 * for (int step = 0; step < steps; step++) {
 *   request.start();
 *   prepareNextStep();
 *   request.await();
 * }
 * }</pre>
 */
public final class RankRequests {

  private final RankCalls calls;
  private final int rank;
  private final int rankSize;
  private final CallOptions options;

  /** If not, a buffer is larger than its data, and how much it needs is found out later. */
  private final boolean areContiguous;

  RankRequests(RankCalls calls, int rank, int rankSize, CallOptions options) {
    this.calls = calls;
    this.rank = rank;
    this.rankSize = rankSize;
    this.options = options;
    this.areContiguous =
        options.inputLayout().isContiguous() && options.outputLayout().isContiguous();
  }

  /**
   * Any operation, with explicit counts; the only way to those whose counts differ by rank. Buffers
   * may be larger than needed; what the operation does not use is not touched.
   *
   * @param call the operation; of a transfer this rank is one end
   * @param input this rank's input, or null where it has none
   * @param output this rank's output, or null where it has none
   */
  public RankRequest of(
      CollectiveCall call, @Nullable MemorySegment input, @Nullable MemorySegment output) {
    Arguments.require(call, "call");
    return new RankRequest(calls.requestOfUsed(RankCall.of(rank, call, options, input, output)));
  }

  /** The same for buffers of which every byte is used. */
  private RankRequest ofExact(
      CollectiveCall call, @Nullable MemorySegment input, @Nullable MemorySegment output) {
    return new RankRequest(calls.request(RankCall.of(rank, call, options, input, output)));
  }

  /** Barrier. */
  public RankRequest barrier() {
    return ofExact(CollectiveCall.barrier(), null, null);
  }

  /** All-reduce; {@code output} is at least as large as {@code input} and may be the same. */
  public RankRequest allReduce(
      MemorySegment input, MemorySegment output, DataType dataType, ReduceOp reduceOp) {
    Arguments.require(input, "input");
    Arguments.require(output, "output");
    Arguments.require(dataType, "dataType");
    Arguments.require(reduceOp, "reduceOp");
    long count = elements("input", input, dataType, options.inputLayout());
    return ofExact(
        CollectiveCall.allReduce(dataType, reduceOp, count), input, cut(output, input.byteSize()));
  }

  /** Reduce to the root, which alone needs {@code output}; it may be {@code input}. */
  public RankRequest reduce(
      MemorySegment input,
      @Nullable MemorySegment output,
      DataType dataType,
      ReduceOp reduceOp,
      int root) {
    Arguments.require(input, "input");
    Arguments.require(dataType, "dataType");
    Arguments.require(reduceOp, "reduceOp");
    long count = elements("input", input, dataType, options.inputLayout());
    return ofExact(
        CollectiveCall.reduce(dataType, reduceOp, count, root),
        input,
        rank == root ? cut(output, input.byteSize()) : null);
  }

  /** Reduce-scatter; {@code input} holds one block as large as {@code output} per rank. */
  public RankRequest reduceScatter(
      MemorySegment input, MemorySegment output, DataType dataType, ReduceOp reduceOp) {
    Arguments.require(input, "input");
    Arguments.require(output, "output");
    Arguments.require(dataType, "dataType");
    Arguments.require(reduceOp, "reduceOp");
    long count = elements("output", output, dataType, options.outputLayout());
    return ofExact(
        CollectiveCall.reduceScatter(dataType, reduceOp, count),
        cut(input, blocks(output)),
        output);
  }

  /** Inclusive scan; {@code output} is at least as large as {@code input} and may be the same. */
  public RankRequest scan(
      MemorySegment input, MemorySegment output, DataType dataType, ReduceOp reduceOp) {
    Arguments.require(input, "input");
    Arguments.require(output, "output");
    Arguments.require(dataType, "dataType");
    Arguments.require(reduceOp, "reduceOp");
    long count = elements("input", input, dataType, options.inputLayout());
    return ofExact(
        CollectiveCall.scan(dataType, reduceOp, count), input, cut(output, input.byteSize()));
  }

  /** Exclusive scan; {@code output} is at least as large as {@code input} and may be the same. */
  public RankRequest exclusiveScan(
      MemorySegment input, MemorySegment output, DataType dataType, ReduceOp reduceOp) {
    Arguments.require(input, "input");
    Arguments.require(output, "output");
    Arguments.require(dataType, "dataType");
    Arguments.require(reduceOp, "reduceOp");
    long count = elements("input", input, dataType, options.inputLayout());
    return ofExact(
        CollectiveCall.exclusiveScan(dataType, reduceOp, count),
        input,
        cut(output, input.byteSize()));
  }

  /** Broadcast; {@code data} is read on the root and written on the others. */
  public RankRequest broadcast(MemorySegment data, DataType dataType, int root) {
    Arguments.require(data, "data");
    Arguments.require(dataType, "dataType");
    long count =
        elements(
            "buffer",
            data,
            dataType,
            rank == root ? options.inputLayout() : options.outputLayout());
    return ofExact(
        CollectiveCall.broadcast(dataType, count, root), rank == root ? data : null, data);
  }

  /** All-gather; {@code output} holds one block as large as {@code input} per rank. */
  public RankRequest allGather(MemorySegment input, MemorySegment output, DataType dataType) {
    Arguments.require(input, "input");
    Arguments.require(output, "output");
    Arguments.require(dataType, "dataType");
    long count = elements("input", input, dataType, options.inputLayout());
    return ofExact(CollectiveCall.allGather(dataType, count), input, cut(output, blocks(input)));
  }

  /** Gather to the root, which alone needs {@code output}: one block per rank. */
  public RankRequest gather(
      MemorySegment input, @Nullable MemorySegment output, DataType dataType, int root) {
    Arguments.require(input, "input");
    Arguments.require(dataType, "dataType");
    long count = elements("input", input, dataType, options.inputLayout());
    return ofExact(
        CollectiveCall.gather(dataType, count, root),
        input,
        rank == root ? cut(output, blocks(input)) : null);
  }

  /** Scatter from the root, which alone needs {@code input}: one block per rank. */
  public RankRequest scatter(
      @Nullable MemorySegment input, MemorySegment output, DataType dataType, int root) {
    Arguments.require(output, "output");
    Arguments.require(dataType, "dataType");
    long count = elements("output", output, dataType, options.outputLayout());
    return ofExact(
        CollectiveCall.scatter(dataType, count, root),
        rank == root ? cut(input, blocks(output)) : null,
        output);
  }

  /** All-to-all; both buffers hold one block per rank. */
  public RankRequest allToAll(MemorySegment input, MemorySegment output, DataType dataType) {
    Arguments.require(input, "input");
    Arguments.require(output, "output");
    Arguments.require(dataType, "dataType");
    long all = elements("input", input, dataType, options.inputLayout());
    long count = CountOf.block("the input of " + calls.name(rank), all, rankSize);
    return ofExact(CollectiveCall.allToAll(dataType, count), input, cut(output, input.byteSize()));
  }

  /** Sends to another rank, which must receive; the others take no part. */
  public RankRequest send(MemorySegment data, DataType dataType, int destination) {
    Arguments.require(data, "data");
    Arguments.require(dataType, "dataType");
    long count = elements("buffer", data, dataType, options.inputLayout());
    return ofExact(CollectiveCall.sendReceive(dataType, count, rank, destination), data, null);
  }

  /** Receives from another rank, which must send; the others take no part. */
  public RankRequest receive(MemorySegment data, DataType dataType, int source) {
    Arguments.require(data, "data");
    Arguments.require(dataType, "dataType");
    long count = elements("buffer", data, dataType, options.outputLayout());
    return ofExact(CollectiveCall.sendReceive(dataType, count, source, rank), null, data);
  }

  private long elements(String what, MemorySegment segment, DataType dataType, Layout layout) {
    long places = CountOf.elements(what, rank, segment, dataType);
    return layout.isContiguous() ? places : layout.elementsWithin(places);
  }

  /** The bytes of one block as large as a buffer per rank; the largest number if that overflows. */
  private long blocks(MemorySegment block) {
    return block.byteSize() > Long.MAX_VALUE / rankSize
        ? Long.MAX_VALUE
        : block.byteSize() * rankSize;
  }

  /** The part of a buffer that is used; one that is too small is refused for all ranks later. */
  private @Nullable MemorySegment cut(@Nullable MemorySegment segment, long bytes) {
    return segment == null || segment.byteSize() <= bytes || !areContiguous
        ? segment
        : segment.asSlice(0, bytes);
  }
}
