package dev.tutti.host;

import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ReduceOp;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The operations of one rank that reduce. Counts follow from the buffers; input and output may be
 * the same memory where a method says so. A buffer longer than needed is refused, unless the
 * options allow it. Array elements are signed integers or IEEE floats of their width.
 *
 * @param <R> the result of a method: for a blocking call, the rank, once its output is complete and
 *     it may use its buffers again; otherwise the request, which is not started
 */
public interface ReducingCalls<R> {

  /** All-reduce; {@code output} is as large as {@code input} and may be the same. */
  R allReduce(MemorySegment input, MemorySegment output, DataType dataType, ReduceOp reduceOp);

  /** Reduce to the root; only the root needs {@code output}, which may be {@code input}. */
  R reduce(
      MemorySegment input,
      @Nullable MemorySegment output,
      DataType dataType,
      ReduceOp reduceOp,
      int root);

  /** Reduce-scatter; {@code input} holds one block as large as {@code output} per rank. */
  R reduceScatter(MemorySegment input, MemorySegment output, DataType dataType, ReduceOp reduceOp);

  /** Inclusive scan; {@code output} is as large as {@code input} and may be the same. */
  R scan(MemorySegment input, MemorySegment output, DataType dataType, ReduceOp reduceOp);

  /** Exclusive scan; {@code output} is as large as {@code input} and may be the same. */
  R exclusiveScan(MemorySegment input, MemorySegment output, DataType dataType, ReduceOp reduceOp);

  /** All-reduce of byte arrays. */
  default R allReduce(byte[] input, byte[] output, ReduceOp reduceOp) {
    return allReduce(ArrayMemory.of(input), ArrayMemory.of(output), DataType.INT8, reduceOp);
  }

  /** Reduce-scatter of byte arrays. */
  default R reduceScatter(byte[] input, byte[] output, ReduceOp reduceOp) {
    return reduceScatter(ArrayMemory.of(input), ArrayMemory.of(output), DataType.INT8, reduceOp);
  }

  /** Inclusive scan of byte arrays. */
  default R scan(byte[] input, byte[] output, ReduceOp reduceOp) {
    return scan(ArrayMemory.of(input), ArrayMemory.of(output), DataType.INT8, reduceOp);
  }

  /** Exclusive scan of byte arrays. */
  default R exclusiveScan(byte[] input, byte[] output, ReduceOp reduceOp) {
    return exclusiveScan(ArrayMemory.of(input), ArrayMemory.of(output), DataType.INT8, reduceOp);
  }

  /** Reduce of byte arrays; only the root needs {@code output}. */
  default R reduce(byte[] input, byte @Nullable [] output, ReduceOp reduceOp, int root) {
    return reduce(ArrayMemory.of(input), ArrayMemory.of(output), DataType.INT8, reduceOp, root);
  }

  /** All-reduce of short arrays. */
  default R allReduce(short[] input, short[] output, ReduceOp reduceOp) {
    return allReduce(ArrayMemory.of(input), ArrayMemory.of(output), DataType.INT16, reduceOp);
  }

  /** Reduce-scatter of short arrays. */
  default R reduceScatter(short[] input, short[] output, ReduceOp reduceOp) {
    return reduceScatter(ArrayMemory.of(input), ArrayMemory.of(output), DataType.INT16, reduceOp);
  }

  /** Inclusive scan of short arrays. */
  default R scan(short[] input, short[] output, ReduceOp reduceOp) {
    return scan(ArrayMemory.of(input), ArrayMemory.of(output), DataType.INT16, reduceOp);
  }

  /** Exclusive scan of short arrays. */
  default R exclusiveScan(short[] input, short[] output, ReduceOp reduceOp) {
    return exclusiveScan(ArrayMemory.of(input), ArrayMemory.of(output), DataType.INT16, reduceOp);
  }

  /** Reduce of short arrays; only the root needs {@code output}. */
  default R reduce(short[] input, short @Nullable [] output, ReduceOp reduceOp, int root) {
    return reduce(ArrayMemory.of(input), ArrayMemory.of(output), DataType.INT16, reduceOp, root);
  }

  /** All-reduce of int arrays. */
  default R allReduce(int[] input, int[] output, ReduceOp reduceOp) {
    return allReduce(ArrayMemory.of(input), ArrayMemory.of(output), DataType.INT32, reduceOp);
  }

  /** Reduce-scatter of int arrays. */
  default R reduceScatter(int[] input, int[] output, ReduceOp reduceOp) {
    return reduceScatter(ArrayMemory.of(input), ArrayMemory.of(output), DataType.INT32, reduceOp);
  }

  /** Inclusive scan of int arrays. */
  default R scan(int[] input, int[] output, ReduceOp reduceOp) {
    return scan(ArrayMemory.of(input), ArrayMemory.of(output), DataType.INT32, reduceOp);
  }

  /** Exclusive scan of int arrays. */
  default R exclusiveScan(int[] input, int[] output, ReduceOp reduceOp) {
    return exclusiveScan(ArrayMemory.of(input), ArrayMemory.of(output), DataType.INT32, reduceOp);
  }

  /** Reduce of int arrays; only the root needs {@code output}. */
  default R reduce(int[] input, int @Nullable [] output, ReduceOp reduceOp, int root) {
    return reduce(ArrayMemory.of(input), ArrayMemory.of(output), DataType.INT32, reduceOp, root);
  }

  /** All-reduce of long arrays. */
  default R allReduce(long[] input, long[] output, ReduceOp reduceOp) {
    return allReduce(ArrayMemory.of(input), ArrayMemory.of(output), DataType.INT64, reduceOp);
  }

  /** Reduce-scatter of long arrays. */
  default R reduceScatter(long[] input, long[] output, ReduceOp reduceOp) {
    return reduceScatter(ArrayMemory.of(input), ArrayMemory.of(output), DataType.INT64, reduceOp);
  }

  /** Inclusive scan of long arrays. */
  default R scan(long[] input, long[] output, ReduceOp reduceOp) {
    return scan(ArrayMemory.of(input), ArrayMemory.of(output), DataType.INT64, reduceOp);
  }

  /** Exclusive scan of long arrays. */
  default R exclusiveScan(long[] input, long[] output, ReduceOp reduceOp) {
    return exclusiveScan(ArrayMemory.of(input), ArrayMemory.of(output), DataType.INT64, reduceOp);
  }

  /** Reduce of long arrays; only the root needs {@code output}. */
  default R reduce(long[] input, long @Nullable [] output, ReduceOp reduceOp, int root) {
    return reduce(ArrayMemory.of(input), ArrayMemory.of(output), DataType.INT64, reduceOp, root);
  }

  /** All-reduce of float arrays. */
  default R allReduce(float[] input, float[] output, ReduceOp reduceOp) {
    return allReduce(ArrayMemory.of(input), ArrayMemory.of(output), DataType.FLOAT32, reduceOp);
  }

  /** Reduce-scatter of float arrays. */
  default R reduceScatter(float[] input, float[] output, ReduceOp reduceOp) {
    return reduceScatter(ArrayMemory.of(input), ArrayMemory.of(output), DataType.FLOAT32, reduceOp);
  }

  /** Inclusive scan of float arrays. */
  default R scan(float[] input, float[] output, ReduceOp reduceOp) {
    return scan(ArrayMemory.of(input), ArrayMemory.of(output), DataType.FLOAT32, reduceOp);
  }

  /** Exclusive scan of float arrays. */
  default R exclusiveScan(float[] input, float[] output, ReduceOp reduceOp) {
    return exclusiveScan(ArrayMemory.of(input), ArrayMemory.of(output), DataType.FLOAT32, reduceOp);
  }

  /** Reduce of float arrays; only the root needs {@code output}. */
  default R reduce(float[] input, float @Nullable [] output, ReduceOp reduceOp, int root) {
    return reduce(ArrayMemory.of(input), ArrayMemory.of(output), DataType.FLOAT32, reduceOp, root);
  }

  /** All-reduce of double arrays. */
  default R allReduce(double[] input, double[] output, ReduceOp reduceOp) {
    return allReduce(ArrayMemory.of(input), ArrayMemory.of(output), DataType.FLOAT64, reduceOp);
  }

  /** Reduce-scatter of double arrays. */
  default R reduceScatter(double[] input, double[] output, ReduceOp reduceOp) {
    return reduceScatter(ArrayMemory.of(input), ArrayMemory.of(output), DataType.FLOAT64, reduceOp);
  }

  /** Inclusive scan of double arrays. */
  default R scan(double[] input, double[] output, ReduceOp reduceOp) {
    return scan(ArrayMemory.of(input), ArrayMemory.of(output), DataType.FLOAT64, reduceOp);
  }

  /** Exclusive scan of double arrays. */
  default R exclusiveScan(double[] input, double[] output, ReduceOp reduceOp) {
    return exclusiveScan(ArrayMemory.of(input), ArrayMemory.of(output), DataType.FLOAT64, reduceOp);
  }

  /** Reduce of double arrays; only the root needs {@code output}. */
  default R reduce(double[] input, double @Nullable [] output, ReduceOp reduceOp, int root) {
    return reduce(ArrayMemory.of(input), ArrayMemory.of(output), DataType.FLOAT64, reduceOp, root);
  }
}
