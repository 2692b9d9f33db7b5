package dev.tutti.host;

import dev.tutti.host.call.CollectiveCall;
import dev.tutti.sdk.Arguments;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.topology.Topology;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Operations of all ranks of a group, driven by one caller. The methods derive the count from the
 * sizes of the buffers, which must be equal on all ranks that have data. {@link #request} takes
 * explicit counts.
 *
 * <p>All methods throw {@link dev.tutti.sdk.TuttiException} with code INVALID_COUNT if the count
 * cannot be derived.
 */
public interface GroupCalls {

  /** The nodes and pods of the ranks. */
  Topology topology();

  /** The number of ranks. */
  default int rankSize() {
    return topology().rankSize();
  }

  /** Starts building a request of all ranks with explicit counts. */
  RequestBuilder request(CollectiveCall call);

  /** All-reduce; every buffer holds {@code count} elements. */
  default RequestBuilder allReduce(
      MemorySegment[] inputs, MemorySegment[] outputs, DataType dataType, ReduceOp reduceOp) {
    Arguments.require(inputs, "inputs");
    Arguments.require(outputs, "outputs");
    Arguments.require(dataType, "dataType");
    Arguments.require(reduceOp, "reduceOp");
    long count = CountOf.common("input", inputs, dataType);
    return request(CollectiveCall.allReduce(dataType, reduceOp, count)).buffers(inputs, outputs);
  }

  /** Reduce to the root, the only rank that needs an output. */
  default RequestBuilder reduce(
      MemorySegment[] inputs,
      @Nullable MemorySegment[] outputs,
      DataType dataType,
      ReduceOp reduceOp,
      int root) {
    Arguments.require(inputs, "inputs");
    Arguments.require(outputs, "outputs");
    Arguments.require(dataType, "dataType");
    Arguments.require(reduceOp, "reduceOp");
    long count = CountOf.common("input", inputs, dataType);
    return request(CollectiveCall.reduce(dataType, reduceOp, count, root)).buffers(inputs, outputs);
  }

  /** Reduce-scatter; every output holds one block, every input one per rank. */
  default RequestBuilder reduceScatter(
      MemorySegment[] inputs, MemorySegment[] outputs, DataType dataType, ReduceOp reduceOp) {
    Arguments.require(inputs, "inputs");
    Arguments.require(outputs, "outputs");
    Arguments.require(dataType, "dataType");
    Arguments.require(reduceOp, "reduceOp");
    long count = CountOf.common("output", outputs, dataType);
    return request(CollectiveCall.reduceScatter(dataType, reduceOp, count))
        .buffers(inputs, outputs);
  }

  /** All-gather; every input holds one block, every output one per rank. */
  default RequestBuilder allGather(
      MemorySegment[] inputs, MemorySegment[] outputs, DataType dataType) {
    Arguments.require(inputs, "inputs");
    Arguments.require(outputs, "outputs");
    Arguments.require(dataType, "dataType");
    long count = CountOf.common("input", inputs, dataType);
    return request(CollectiveCall.allGather(dataType, count)).buffers(inputs, outputs);
  }

  /** Broadcast from the root, the only rank that needs an input. */
  default RequestBuilder broadcast(
      @Nullable MemorySegment[] inputs, MemorySegment[] outputs, DataType dataType, int root) {
    Arguments.require(inputs, "inputs");
    Arguments.require(outputs, "outputs");
    Arguments.require(dataType, "dataType");
    long count = CountOf.common("output", outputs, dataType);
    return request(CollectiveCall.broadcast(dataType, count, root)).buffers(inputs, outputs);
  }

  /** Gather to the root, the only rank that needs an output. */
  default RequestBuilder gather(
      MemorySegment[] inputs, @Nullable MemorySegment[] outputs, DataType dataType, int root) {
    Arguments.require(inputs, "inputs");
    Arguments.require(outputs, "outputs");
    Arguments.require(dataType, "dataType");
    long count = CountOf.common("input", inputs, dataType);
    return request(CollectiveCall.gather(dataType, count, root)).buffers(inputs, outputs);
  }

  /** Scatter from the root, the only rank that needs an input. */
  default RequestBuilder scatter(
      @Nullable MemorySegment[] inputs, MemorySegment[] outputs, DataType dataType, int root) {
    Arguments.require(inputs, "inputs");
    Arguments.require(outputs, "outputs");
    Arguments.require(dataType, "dataType");
    long count = CountOf.common("output", outputs, dataType);
    return request(CollectiveCall.scatter(dataType, count, root)).buffers(inputs, outputs);
  }

  /** All-to-all; every buffer holds one block for each rank. */
  default RequestBuilder allToAll(
      MemorySegment[] inputs, MemorySegment[] outputs, DataType dataType) {
    Arguments.require(inputs, "inputs");
    Arguments.require(outputs, "outputs");
    Arguments.require(dataType, "dataType");
    long count = CountOf.commonBlock("input", inputs, dataType);
    return request(CollectiveCall.allToAll(dataType, count)).buffers(inputs, outputs);
  }

  /** Inclusive scan. */
  default RequestBuilder scan(
      MemorySegment[] inputs, MemorySegment[] outputs, DataType dataType, ReduceOp reduceOp) {
    Arguments.require(inputs, "inputs");
    Arguments.require(outputs, "outputs");
    Arguments.require(dataType, "dataType");
    Arguments.require(reduceOp, "reduceOp");
    long count = CountOf.common("input", inputs, dataType);
    return request(CollectiveCall.scan(dataType, reduceOp, count)).buffers(inputs, outputs);
  }

  /** Exclusive scan; the output of rank 0 does not change. */
  default RequestBuilder exclusiveScan(
      MemorySegment[] inputs, MemorySegment[] outputs, DataType dataType, ReduceOp reduceOp) {
    Arguments.require(inputs, "inputs");
    Arguments.require(outputs, "outputs");
    Arguments.require(dataType, "dataType");
    Arguments.require(reduceOp, "reduceOp");
    long count = CountOf.common("input", inputs, dataType);
    return request(CollectiveCall.exclusiveScan(dataType, reduceOp, count))
        .buffers(inputs, outputs);
  }

  /** A transfer from one rank to another. */
  default RequestBuilder sendReceive(
      MemorySegment input, MemorySegment output, DataType dataType, int source, int destination) {
    Arguments.require(input, "input");
    Arguments.require(output, "output");
    Arguments.require(dataType, "dataType");
    long count = CountOf.elements("the input", input, dataType);
    CollectiveCall call = CollectiveCall.sendReceive(dataType, count, source, destination);
    @Nullable MemorySegment[] inputs = new MemorySegment[rankSize()];
    @Nullable MemorySegment[] outputs = new MemorySegment[rankSize()];
    if (source >= 0 && source < rankSize() && destination >= 0 && destination < rankSize()) {
      inputs[source] = input;
      outputs[destination] = output;
    }
    return request(call).buffers(inputs, outputs);
  }

  /** Barrier. */
  default RequestBuilder barrier() {
    return request(CollectiveCall.barrier());
  }
}
