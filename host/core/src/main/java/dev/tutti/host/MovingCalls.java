package dev.tutti.host;

import dev.tutti.sdk.DataType;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The operations of one rank that only move data. Counts follow from the buffers. A buffer longer
 * than needed is refused, unless the options allow it. Array elements are signed integers or IEEE
 * floats of their width.
 *
 * @param <R> the result of a method: for a blocking call, the rank, once its output is complete and
 *     it may use its buffers again; otherwise the request, which is not started
 */
public interface MovingCalls<R> {

  /** Broadcast; {@code data} is read on the root and written on the others. */
  R broadcast(MemorySegment data, DataType dataType, int root);

  /** All-gather; {@code output} holds one block as large as {@code input} per rank. */
  R allGather(MemorySegment input, MemorySegment output, DataType dataType);

  /** Gather to the root; only the root needs {@code output}, which holds one block per rank. */
  R gather(MemorySegment input, @Nullable MemorySegment output, DataType dataType, int root);

  /** Scatter from the root; only the root needs {@code input}, which holds one block per rank. */
  R scatter(@Nullable MemorySegment input, MemorySegment output, DataType dataType, int root);

  /** All-to-all; both buffers hold one block per rank. */
  R allToAll(MemorySegment input, MemorySegment output, DataType dataType);

  /** Sends to another rank, which must receive; the others take no part. */
  R send(MemorySegment data, DataType dataType, int destination);

  /** Receives from another rank, which must send; the others take no part. */
  R receive(MemorySegment data, DataType dataType, int source);

  /** All-gather of byte arrays. */
  default R allGather(byte[] input, byte[] output) {
    return allGather(ArrayMemory.of(input), ArrayMemory.of(output), DataType.INT8);
  }

  /** All-to-all of byte arrays. */
  default R allToAll(byte[] input, byte[] output) {
    return allToAll(ArrayMemory.of(input), ArrayMemory.of(output), DataType.INT8);
  }

  /** Broadcast of a byte array. */
  default R broadcast(byte[] data, int root) {
    return broadcast(ArrayMemory.of(data), DataType.INT8, root);
  }

  /** Gather of byte arrays; only the root needs {@code output}. */
  default R gather(byte[] input, byte @Nullable [] output, int root) {
    return gather(ArrayMemory.of(input), ArrayMemory.of(output), DataType.INT8, root);
  }

  /** Scatter of byte arrays; only the root needs {@code input}. */
  default R scatter(byte @Nullable [] input, byte[] output, int root) {
    return scatter(ArrayMemory.of(input), ArrayMemory.of(output), DataType.INT8, root);
  }

  /** Sends a byte array. */
  default R send(byte[] data, int destination) {
    return send(ArrayMemory.of(data), DataType.INT8, destination);
  }

  /** Receives a byte array. */
  default R receive(byte[] data, int source) {
    return receive(ArrayMemory.of(data), DataType.INT8, source);
  }

  /** All-gather of short arrays. */
  default R allGather(short[] input, short[] output) {
    return allGather(ArrayMemory.of(input), ArrayMemory.of(output), DataType.INT16);
  }

  /** All-to-all of short arrays. */
  default R allToAll(short[] input, short[] output) {
    return allToAll(ArrayMemory.of(input), ArrayMemory.of(output), DataType.INT16);
  }

  /** Broadcast of a short array. */
  default R broadcast(short[] data, int root) {
    return broadcast(ArrayMemory.of(data), DataType.INT16, root);
  }

  /** Gather of short arrays; only the root needs {@code output}. */
  default R gather(short[] input, short @Nullable [] output, int root) {
    return gather(ArrayMemory.of(input), ArrayMemory.of(output), DataType.INT16, root);
  }

  /** Scatter of short arrays; only the root needs {@code input}. */
  default R scatter(short @Nullable [] input, short[] output, int root) {
    return scatter(ArrayMemory.of(input), ArrayMemory.of(output), DataType.INT16, root);
  }

  /** Sends a short array. */
  default R send(short[] data, int destination) {
    return send(ArrayMemory.of(data), DataType.INT16, destination);
  }

  /** Receives a short array. */
  default R receive(short[] data, int source) {
    return receive(ArrayMemory.of(data), DataType.INT16, source);
  }

  /** All-gather of int arrays. */
  default R allGather(int[] input, int[] output) {
    return allGather(ArrayMemory.of(input), ArrayMemory.of(output), DataType.INT32);
  }

  /** All-to-all of int arrays. */
  default R allToAll(int[] input, int[] output) {
    return allToAll(ArrayMemory.of(input), ArrayMemory.of(output), DataType.INT32);
  }

  /** Broadcast of an int array. */
  default R broadcast(int[] data, int root) {
    return broadcast(ArrayMemory.of(data), DataType.INT32, root);
  }

  /** Gather of int arrays; only the root needs {@code output}. */
  default R gather(int[] input, int @Nullable [] output, int root) {
    return gather(ArrayMemory.of(input), ArrayMemory.of(output), DataType.INT32, root);
  }

  /** Scatter of int arrays; only the root needs {@code input}. */
  default R scatter(int @Nullable [] input, int[] output, int root) {
    return scatter(ArrayMemory.of(input), ArrayMemory.of(output), DataType.INT32, root);
  }

  /** Sends an int array. */
  default R send(int[] data, int destination) {
    return send(ArrayMemory.of(data), DataType.INT32, destination);
  }

  /** Receives an int array. */
  default R receive(int[] data, int source) {
    return receive(ArrayMemory.of(data), DataType.INT32, source);
  }

  /** All-gather of long arrays. */
  default R allGather(long[] input, long[] output) {
    return allGather(ArrayMemory.of(input), ArrayMemory.of(output), DataType.INT64);
  }

  /** All-to-all of long arrays. */
  default R allToAll(long[] input, long[] output) {
    return allToAll(ArrayMemory.of(input), ArrayMemory.of(output), DataType.INT64);
  }

  /** Broadcast of a long array. */
  default R broadcast(long[] data, int root) {
    return broadcast(ArrayMemory.of(data), DataType.INT64, root);
  }

  /** Gather of long arrays; only the root needs {@code output}. */
  default R gather(long[] input, long @Nullable [] output, int root) {
    return gather(ArrayMemory.of(input), ArrayMemory.of(output), DataType.INT64, root);
  }

  /** Scatter of long arrays; only the root needs {@code input}. */
  default R scatter(long @Nullable [] input, long[] output, int root) {
    return scatter(ArrayMemory.of(input), ArrayMemory.of(output), DataType.INT64, root);
  }

  /** Sends a long array. */
  default R send(long[] data, int destination) {
    return send(ArrayMemory.of(data), DataType.INT64, destination);
  }

  /** Receives a long array. */
  default R receive(long[] data, int source) {
    return receive(ArrayMemory.of(data), DataType.INT64, source);
  }

  /** All-gather of float arrays. */
  default R allGather(float[] input, float[] output) {
    return allGather(ArrayMemory.of(input), ArrayMemory.of(output), DataType.FLOAT32);
  }

  /** All-to-all of float arrays. */
  default R allToAll(float[] input, float[] output) {
    return allToAll(ArrayMemory.of(input), ArrayMemory.of(output), DataType.FLOAT32);
  }

  /** Broadcast of a float array. */
  default R broadcast(float[] data, int root) {
    return broadcast(ArrayMemory.of(data), DataType.FLOAT32, root);
  }

  /** Gather of float arrays; only the root needs {@code output}. */
  default R gather(float[] input, float @Nullable [] output, int root) {
    return gather(ArrayMemory.of(input), ArrayMemory.of(output), DataType.FLOAT32, root);
  }

  /** Scatter of float arrays; only the root needs {@code input}. */
  default R scatter(float @Nullable [] input, float[] output, int root) {
    return scatter(ArrayMemory.of(input), ArrayMemory.of(output), DataType.FLOAT32, root);
  }

  /** Sends a float array. */
  default R send(float[] data, int destination) {
    return send(ArrayMemory.of(data), DataType.FLOAT32, destination);
  }

  /** Receives a float array. */
  default R receive(float[] data, int source) {
    return receive(ArrayMemory.of(data), DataType.FLOAT32, source);
  }

  /** All-gather of double arrays. */
  default R allGather(double[] input, double[] output) {
    return allGather(ArrayMemory.of(input), ArrayMemory.of(output), DataType.FLOAT64);
  }

  /** All-to-all of double arrays. */
  default R allToAll(double[] input, double[] output) {
    return allToAll(ArrayMemory.of(input), ArrayMemory.of(output), DataType.FLOAT64);
  }

  /** Broadcast of a double array. */
  default R broadcast(double[] data, int root) {
    return broadcast(ArrayMemory.of(data), DataType.FLOAT64, root);
  }

  /** Gather of double arrays; only the root needs {@code output}. */
  default R gather(double[] input, double @Nullable [] output, int root) {
    return gather(ArrayMemory.of(input), ArrayMemory.of(output), DataType.FLOAT64, root);
  }

  /** Scatter of double arrays; only the root needs {@code input}. */
  default R scatter(double @Nullable [] input, double[] output, int root) {
    return scatter(ArrayMemory.of(input), ArrayMemory.of(output), DataType.FLOAT64, root);
  }

  /** Sends a double array. */
  default R send(double[] data, int destination) {
    return send(ArrayMemory.of(data), DataType.FLOAT64, destination);
  }

  /** Receives a double array. */
  default R receive(double[] data, int source) {
    return receive(ArrayMemory.of(data), DataType.FLOAT64, source);
  }
}
