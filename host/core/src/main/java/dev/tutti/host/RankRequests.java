package dev.tutti.host;

import dev.tutti.host.call.CallOptions;
import dev.tutti.host.call.CollectiveCall;
import dev.tutti.host.call.Layout;
import dev.tutti.host.rank.RankCall;
import dev.tutti.host.rank.RankCalls;
import dev.tutti.sdk.Arguments;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.Operation;
import dev.tutti.sdk.ReduceOp;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Makes the requests of one rank: its parts in operations of the group, which it can start at any
 * time. All ranks must start the same operations in the same order. Counts follow from the buffers,
 * as in the blocking methods of {@link RankHandle}; with layouts, they follow from the number of
 * whole repetitions that fit.
 *
 * <p>If this rank can see by itself that a request is wrong, the request is not made: all methods
 * throw {@link dev.tutti.sdk.TuttiException} with INVALID_COUNT if a buffer does not hold whole
 * elements or blocks, or is longer than needed; BUFFER_TOO_SMALL; INVALID_RANK; UNSUPPORTED_TYPE.
 * Nothing is started then, and the other ranks are not informed. An error at the start of a request
 * is reported to all ranks.
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
public final class RankRequests implements ReducingCalls<RankRequest>, MovingCalls<RankRequest> {

  private final RankCalls calls;
  private final int rank;
  private final int rankSize;
  private final CallOptions options;

  RankRequests(RankCalls calls, int rank, int rankSize, CallOptions options) {
    this.calls = calls;
    this.rank = rank;
    this.rankSize = rankSize;
    this.options = options;
  }

  /**
   * Any operation, with explicit counts. Operations whose counts differ between ranks need this
   * method. Buffers may be larger than needed; the unused part is not touched.
   *
   * @param call the operation; in a transfer, this rank must be one end
   * @param input this rank's input, or null if it has none
   * @param output this rank's output, or null if it has none
   */
  public RankRequest of(
      CollectiveCall call, @Nullable MemorySegment input, @Nullable MemorySegment output) {
    Arguments.require(call, "call");
    return new RankRequest(calls.request(RankCall.of(rank, call, options, input, output), false));
  }

  /** An operation whose counts follow from its buffers; see {@link RankHandle}. */
  @SuppressWarnings("NullAway") // each caller refuses null itself
  RankRequest of(
      Operation operation,
      DataType dataType,
      @Nullable ReduceOp reduceOp,
      int peer,
      @Nullable MemorySegment input,
      @Nullable MemorySegment output) {
    return switch (operation) {
      case ALL_REDUCE -> allReduce(input, output, dataType, reduceOp);
      case REDUCE -> reduce(input, output, dataType, reduceOp, peer);
      case REDUCE_SCATTER -> reduceScatter(input, output, dataType, reduceOp);
      case SCAN -> scan(input, output, dataType, reduceOp);
      case EXCLUSIVE_SCAN -> exclusiveScan(input, output, dataType, reduceOp);
      case BROADCAST -> broadcast(input, dataType, peer);
      case ALL_GATHER -> allGather(input, output, dataType);
      case GATHER -> gather(input, output, dataType, peer);
      case SCATTER -> scatter(input, output, dataType, peer);
      case ALL_TO_ALL -> allToAll(input, output, dataType);
      case SEND -> send(input, dataType, peer);
      case RECEIVE -> receive(output, dataType, peer);
      case BARRIER -> barrier();
      case REDUCE_SCATTER_V, ALL_GATHER_V, GATHER_V, SCATTER_V, ALL_TO_ALL_V, BATCH_SEND_RECV ->
          throw new IllegalArgumentException(operation + " has a count per rank");
    };
  }

  private RankRequest ofExact(
      CollectiveCall call, @Nullable MemorySegment input, @Nullable MemorySegment output) {
    return new RankRequest(calls.request(RankCall.of(rank, call, options, input, output), true));
  }

  /** Barrier. */
  public RankRequest barrier() {
    return ofExact(CollectiveCall.barrier(), null, null);
  }

  @Override
  public RankRequest allReduce(
      MemorySegment input, MemorySegment output, DataType dataType, ReduceOp reduceOp) {
    Arguments.require(input, "input");
    Arguments.require(output, "output");
    Arguments.require(dataType, "dataType");
    Arguments.require(reduceOp, "reduceOp");
    long count = elements("input", input, dataType, options.inputLayout());
    return ofExact(CollectiveCall.allReduce(dataType, reduceOp, count), input, output);
  }

  @Override
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
        rank == root ? output : null);
  }

  @Override
  public RankRequest reduceScatter(
      MemorySegment input, MemorySegment output, DataType dataType, ReduceOp reduceOp) {
    Arguments.require(input, "input");
    Arguments.require(output, "output");
    Arguments.require(dataType, "dataType");
    Arguments.require(reduceOp, "reduceOp");
    long count = elements("output", output, dataType, options.outputLayout());
    return ofExact(CollectiveCall.reduceScatter(dataType, reduceOp, count), input, output);
  }

  @Override
  public RankRequest scan(
      MemorySegment input, MemorySegment output, DataType dataType, ReduceOp reduceOp) {
    Arguments.require(input, "input");
    Arguments.require(output, "output");
    Arguments.require(dataType, "dataType");
    Arguments.require(reduceOp, "reduceOp");
    long count = elements("input", input, dataType, options.inputLayout());
    return ofExact(CollectiveCall.scan(dataType, reduceOp, count), input, output);
  }

  @Override
  public RankRequest exclusiveScan(
      MemorySegment input, MemorySegment output, DataType dataType, ReduceOp reduceOp) {
    Arguments.require(input, "input");
    Arguments.require(output, "output");
    Arguments.require(dataType, "dataType");
    Arguments.require(reduceOp, "reduceOp");
    long count = elements("input", input, dataType, options.inputLayout());
    return ofExact(CollectiveCall.exclusiveScan(dataType, reduceOp, count), input, output);
  }

  @Override
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

  @Override
  public RankRequest allGather(MemorySegment input, MemorySegment output, DataType dataType) {
    Arguments.require(input, "input");
    Arguments.require(output, "output");
    Arguments.require(dataType, "dataType");
    long count = elements("input", input, dataType, options.inputLayout());
    return ofExact(CollectiveCall.allGather(dataType, count), input, output);
  }

  @Override
  public RankRequest gather(
      MemorySegment input, @Nullable MemorySegment output, DataType dataType, int root) {
    Arguments.require(input, "input");
    Arguments.require(dataType, "dataType");
    long count = elements("input", input, dataType, options.inputLayout());
    return ofExact(
        CollectiveCall.gather(dataType, count, root), input, rank == root ? output : null);
  }

  @Override
  public RankRequest scatter(
      @Nullable MemorySegment input, MemorySegment output, DataType dataType, int root) {
    Arguments.require(output, "output");
    Arguments.require(dataType, "dataType");
    long count = elements("output", output, dataType, options.outputLayout());
    return ofExact(
        CollectiveCall.scatter(dataType, count, root), rank == root ? input : null, output);
  }

  @Override
  public RankRequest allToAll(MemorySegment input, MemorySegment output, DataType dataType) {
    Arguments.require(input, "input");
    Arguments.require(output, "output");
    Arguments.require(dataType, "dataType");
    long all = elements("input", input, dataType, options.inputLayout());
    long count = CountOf.block("the input of " + calls.name(rank), all, rankSize);
    return ofExact(CollectiveCall.allToAll(dataType, count), input, output);
  }

  @Override
  public RankRequest send(MemorySegment data, DataType dataType, int destination) {
    Arguments.require(data, "data");
    Arguments.require(dataType, "dataType");
    long count = elements("buffer", data, dataType, options.inputLayout());
    return ofExact(CollectiveCall.sendReceive(dataType, count, rank, destination), data, null);
  }

  @Override
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
}
