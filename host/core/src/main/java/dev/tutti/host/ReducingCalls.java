package dev.tutti.host;

import dev.tutti.sdk.Arguments;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ReduceOp;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The blocking operations of one rank that reduce. Each returns when this rank's output is complete
 * and its buffers are its own again. Counts follow from the buffers; input and output may be one
 * memory where a method says so. Arrays stand for signed integers and IEEE floats of their width.
 *
 * <p>All methods throw {@link dev.tutti.sdk.TuttiException} with code CALL_MISMATCH if the ranks
 * disagree, DEADLINE_EXCEEDED if some do not arrive in time, and otherwise as {@link
 * RequestBuilder#build} and {@link Request#run}.
 */
public interface ReducingCalls {

  /** All-reduce; {@code output} is as large as {@code input} and may be the same. */
  void allReduce(MemorySegment input, MemorySegment output, DataType dataType, ReduceOp reduceOp);

  /** Reduce to the root; only the root needs {@code output}, which may be {@code input}. */
  void reduce(
      MemorySegment input,
      @Nullable MemorySegment output,
      DataType dataType,
      ReduceOp reduceOp,
      int root);

  /** Reduce-scatter; {@code input} holds one block as large as {@code output} per rank. */
  void reduceScatter(
      MemorySegment input, MemorySegment output, DataType dataType, ReduceOp reduceOp);

  /** Inclusive scan; {@code output} is as large as {@code input} and may be the same. */
  void scan(MemorySegment input, MemorySegment output, DataType dataType, ReduceOp reduceOp);

  /** Exclusive scan; {@code output} is as large as {@code input} and may be the same. */
  void exclusiveScan(
      MemorySegment input, MemorySegment output, DataType dataType, ReduceOp reduceOp);

  /** All-reduce of byte arrays. */
  default void allReduce(byte[] input, byte[] output, ReduceOp reduceOp) {
    Arguments.require(input, "input");
    Arguments.require(output, "output");
    Arguments.require(reduceOp, "reduceOp");
    allReduce(MemorySegment.ofArray(input), MemorySegment.ofArray(output), DataType.INT8, reduceOp);
  }

  /** Reduce-scatter of byte arrays. */
  default void reduceScatter(byte[] input, byte[] output, ReduceOp reduceOp) {
    Arguments.require(input, "input");
    Arguments.require(output, "output");
    Arguments.require(reduceOp, "reduceOp");
    reduceScatter(
        MemorySegment.ofArray(input), MemorySegment.ofArray(output), DataType.INT8, reduceOp);
  }

  /** Inclusive scan of byte arrays. */
  default void scan(byte[] input, byte[] output, ReduceOp reduceOp) {
    Arguments.require(input, "input");
    Arguments.require(output, "output");
    Arguments.require(reduceOp, "reduceOp");
    scan(MemorySegment.ofArray(input), MemorySegment.ofArray(output), DataType.INT8, reduceOp);
  }

  /** Exclusive scan of byte arrays. */
  default void exclusiveScan(byte[] input, byte[] output, ReduceOp reduceOp) {
    Arguments.require(input, "input");
    Arguments.require(output, "output");
    Arguments.require(reduceOp, "reduceOp");
    exclusiveScan(
        MemorySegment.ofArray(input), MemorySegment.ofArray(output), DataType.INT8, reduceOp);
  }

  /** Reduce of byte arrays; only the root needs {@code output}. */
  default void reduce(byte[] input, byte @Nullable [] output, ReduceOp reduceOp, int root) {
    Arguments.require(input, "input");
    Arguments.require(reduceOp, "reduceOp");
    MemorySegment result = output == null ? null : MemorySegment.ofArray(output);
    reduce(MemorySegment.ofArray(input), result, DataType.INT8, reduceOp, root);
  }

  /** All-reduce of short arrays. */
  default void allReduce(short[] input, short[] output, ReduceOp reduceOp) {
    Arguments.require(input, "input");
    Arguments.require(output, "output");
    Arguments.require(reduceOp, "reduceOp");
    allReduce(
        MemorySegment.ofArray(input), MemorySegment.ofArray(output), DataType.INT16, reduceOp);
  }

  /** Reduce-scatter of short arrays. */
  default void reduceScatter(short[] input, short[] output, ReduceOp reduceOp) {
    Arguments.require(input, "input");
    Arguments.require(output, "output");
    Arguments.require(reduceOp, "reduceOp");
    reduceScatter(
        MemorySegment.ofArray(input), MemorySegment.ofArray(output), DataType.INT16, reduceOp);
  }

  /** Inclusive scan of short arrays. */
  default void scan(short[] input, short[] output, ReduceOp reduceOp) {
    Arguments.require(input, "input");
    Arguments.require(output, "output");
    Arguments.require(reduceOp, "reduceOp");
    scan(MemorySegment.ofArray(input), MemorySegment.ofArray(output), DataType.INT16, reduceOp);
  }

  /** Exclusive scan of short arrays. */
  default void exclusiveScan(short[] input, short[] output, ReduceOp reduceOp) {
    Arguments.require(input, "input");
    Arguments.require(output, "output");
    Arguments.require(reduceOp, "reduceOp");
    exclusiveScan(
        MemorySegment.ofArray(input), MemorySegment.ofArray(output), DataType.INT16, reduceOp);
  }

  /** Reduce of short arrays; only the root needs {@code output}. */
  default void reduce(short[] input, short @Nullable [] output, ReduceOp reduceOp, int root) {
    Arguments.require(input, "input");
    Arguments.require(reduceOp, "reduceOp");
    MemorySegment result = output == null ? null : MemorySegment.ofArray(output);
    reduce(MemorySegment.ofArray(input), result, DataType.INT16, reduceOp, root);
  }

  /** All-reduce of int arrays. */
  default void allReduce(int[] input, int[] output, ReduceOp reduceOp) {
    Arguments.require(input, "input");
    Arguments.require(output, "output");
    Arguments.require(reduceOp, "reduceOp");
    allReduce(
        MemorySegment.ofArray(input), MemorySegment.ofArray(output), DataType.INT32, reduceOp);
  }

  /** Reduce-scatter of int arrays. */
  default void reduceScatter(int[] input, int[] output, ReduceOp reduceOp) {
    Arguments.require(input, "input");
    Arguments.require(output, "output");
    Arguments.require(reduceOp, "reduceOp");
    reduceScatter(
        MemorySegment.ofArray(input), MemorySegment.ofArray(output), DataType.INT32, reduceOp);
  }

  /** Inclusive scan of int arrays. */
  default void scan(int[] input, int[] output, ReduceOp reduceOp) {
    Arguments.require(input, "input");
    Arguments.require(output, "output");
    Arguments.require(reduceOp, "reduceOp");
    scan(MemorySegment.ofArray(input), MemorySegment.ofArray(output), DataType.INT32, reduceOp);
  }

  /** Exclusive scan of int arrays. */
  default void exclusiveScan(int[] input, int[] output, ReduceOp reduceOp) {
    Arguments.require(input, "input");
    Arguments.require(output, "output");
    Arguments.require(reduceOp, "reduceOp");
    exclusiveScan(
        MemorySegment.ofArray(input), MemorySegment.ofArray(output), DataType.INT32, reduceOp);
  }

  /** Reduce of int arrays; only the root needs {@code output}. */
  default void reduce(int[] input, int @Nullable [] output, ReduceOp reduceOp, int root) {
    Arguments.require(input, "input");
    Arguments.require(reduceOp, "reduceOp");
    MemorySegment result = output == null ? null : MemorySegment.ofArray(output);
    reduce(MemorySegment.ofArray(input), result, DataType.INT32, reduceOp, root);
  }

  /** All-reduce of long arrays. */
  default void allReduce(long[] input, long[] output, ReduceOp reduceOp) {
    Arguments.require(input, "input");
    Arguments.require(output, "output");
    Arguments.require(reduceOp, "reduceOp");
    allReduce(
        MemorySegment.ofArray(input), MemorySegment.ofArray(output), DataType.INT64, reduceOp);
  }

  /** Reduce-scatter of long arrays. */
  default void reduceScatter(long[] input, long[] output, ReduceOp reduceOp) {
    Arguments.require(input, "input");
    Arguments.require(output, "output");
    Arguments.require(reduceOp, "reduceOp");
    reduceScatter(
        MemorySegment.ofArray(input), MemorySegment.ofArray(output), DataType.INT64, reduceOp);
  }

  /** Inclusive scan of long arrays. */
  default void scan(long[] input, long[] output, ReduceOp reduceOp) {
    Arguments.require(input, "input");
    Arguments.require(output, "output");
    Arguments.require(reduceOp, "reduceOp");
    scan(MemorySegment.ofArray(input), MemorySegment.ofArray(output), DataType.INT64, reduceOp);
  }

  /** Exclusive scan of long arrays. */
  default void exclusiveScan(long[] input, long[] output, ReduceOp reduceOp) {
    Arguments.require(input, "input");
    Arguments.require(output, "output");
    Arguments.require(reduceOp, "reduceOp");
    exclusiveScan(
        MemorySegment.ofArray(input), MemorySegment.ofArray(output), DataType.INT64, reduceOp);
  }

  /** Reduce of long arrays; only the root needs {@code output}. */
  default void reduce(long[] input, long @Nullable [] output, ReduceOp reduceOp, int root) {
    Arguments.require(input, "input");
    Arguments.require(reduceOp, "reduceOp");
    MemorySegment result = output == null ? null : MemorySegment.ofArray(output);
    reduce(MemorySegment.ofArray(input), result, DataType.INT64, reduceOp, root);
  }

  /** All-reduce of float arrays. */
  default void allReduce(float[] input, float[] output, ReduceOp reduceOp) {
    Arguments.require(input, "input");
    Arguments.require(output, "output");
    Arguments.require(reduceOp, "reduceOp");
    allReduce(
        MemorySegment.ofArray(input), MemorySegment.ofArray(output), DataType.FLOAT32, reduceOp);
  }

  /** Reduce-scatter of float arrays. */
  default void reduceScatter(float[] input, float[] output, ReduceOp reduceOp) {
    Arguments.require(input, "input");
    Arguments.require(output, "output");
    Arguments.require(reduceOp, "reduceOp");
    reduceScatter(
        MemorySegment.ofArray(input), MemorySegment.ofArray(output), DataType.FLOAT32, reduceOp);
  }

  /** Inclusive scan of float arrays. */
  default void scan(float[] input, float[] output, ReduceOp reduceOp) {
    Arguments.require(input, "input");
    Arguments.require(output, "output");
    Arguments.require(reduceOp, "reduceOp");
    scan(MemorySegment.ofArray(input), MemorySegment.ofArray(output), DataType.FLOAT32, reduceOp);
  }

  /** Exclusive scan of float arrays. */
  default void exclusiveScan(float[] input, float[] output, ReduceOp reduceOp) {
    Arguments.require(input, "input");
    Arguments.require(output, "output");
    Arguments.require(reduceOp, "reduceOp");
    exclusiveScan(
        MemorySegment.ofArray(input), MemorySegment.ofArray(output), DataType.FLOAT32, reduceOp);
  }

  /** Reduce of float arrays; only the root needs {@code output}. */
  default void reduce(float[] input, float @Nullable [] output, ReduceOp reduceOp, int root) {
    Arguments.require(input, "input");
    Arguments.require(reduceOp, "reduceOp");
    MemorySegment result = output == null ? null : MemorySegment.ofArray(output);
    reduce(MemorySegment.ofArray(input), result, DataType.FLOAT32, reduceOp, root);
  }

  /** All-reduce of double arrays. */
  default void allReduce(double[] input, double[] output, ReduceOp reduceOp) {
    Arguments.require(input, "input");
    Arguments.require(output, "output");
    Arguments.require(reduceOp, "reduceOp");
    allReduce(
        MemorySegment.ofArray(input), MemorySegment.ofArray(output), DataType.FLOAT64, reduceOp);
  }

  /** Reduce-scatter of double arrays. */
  default void reduceScatter(double[] input, double[] output, ReduceOp reduceOp) {
    Arguments.require(input, "input");
    Arguments.require(output, "output");
    Arguments.require(reduceOp, "reduceOp");
    reduceScatter(
        MemorySegment.ofArray(input), MemorySegment.ofArray(output), DataType.FLOAT64, reduceOp);
  }

  /** Inclusive scan of double arrays. */
  default void scan(double[] input, double[] output, ReduceOp reduceOp) {
    Arguments.require(input, "input");
    Arguments.require(output, "output");
    Arguments.require(reduceOp, "reduceOp");
    scan(MemorySegment.ofArray(input), MemorySegment.ofArray(output), DataType.FLOAT64, reduceOp);
  }

  /** Exclusive scan of double arrays. */
  default void exclusiveScan(double[] input, double[] output, ReduceOp reduceOp) {
    Arguments.require(input, "input");
    Arguments.require(output, "output");
    Arguments.require(reduceOp, "reduceOp");
    exclusiveScan(
        MemorySegment.ofArray(input), MemorySegment.ofArray(output), DataType.FLOAT64, reduceOp);
  }

  /** Reduce of double arrays; only the root needs {@code output}. */
  default void reduce(double[] input, double @Nullable [] output, ReduceOp reduceOp, int root) {
    Arguments.require(input, "input");
    Arguments.require(reduceOp, "reduceOp");
    MemorySegment result = output == null ? null : MemorySegment.ofArray(output);
    reduce(MemorySegment.ofArray(input), result, DataType.FLOAT64, reduceOp, root);
  }
}
