package dev.tutti.host;

import dev.tutti.sdk.Arguments;
import dev.tutti.sdk.DataType;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The blocking operations of one rank that only move data. Each returns when this rank's output is
 * complete and its buffers are its own again. Counts follow from the buffers. Arrays stand for
 * signed integers and IEEE floats of their width.
 *
 * <p>All methods throw {@link dev.tutti.sdk.TuttiException} with code CALL_MISMATCH if the ranks
 * disagree, DEADLINE_EXCEEDED if some do not arrive in time, and otherwise as {@link
 * RequestBuilder#build} and {@link Request#run}.
 */
public interface MovingCalls {

  /** Broadcast; {@code data} is read on the root and written on the others. */
  void broadcast(MemorySegment data, DataType dataType, int root);

  /** All-gather; {@code output} holds one block as large as {@code input} per rank. */
  void allGather(MemorySegment input, MemorySegment output, DataType dataType);

  /** Gather to the root, which alone needs {@code output}: one block per rank. */
  void gather(MemorySegment input, @Nullable MemorySegment output, DataType dataType, int root);

  /** Scatter from the root, which alone needs {@code input}: one block per rank. */
  void scatter(@Nullable MemorySegment input, MemorySegment output, DataType dataType, int root);

  /** All-to-all; both buffers hold one block per rank. */
  void allToAll(MemorySegment input, MemorySegment output, DataType dataType);

  /** Sends to another rank, which must receive; the others take no part. */
  void send(MemorySegment data, DataType dataType, int destination);

  /** Receives from another rank, which must send; the others take no part. */
  void receive(MemorySegment data, DataType dataType, int source);

  /** All-gather of byte arrays. */
  default void allGather(byte[] input, byte[] output) {
    Arguments.require(input, "input");
    Arguments.require(output, "output");
    allGather(MemorySegment.ofArray(input), MemorySegment.ofArray(output), DataType.INT8);
  }

  /** All-to-all of byte arrays. */
  default void allToAll(byte[] input, byte[] output) {
    Arguments.require(input, "input");
    Arguments.require(output, "output");
    allToAll(MemorySegment.ofArray(input), MemorySegment.ofArray(output), DataType.INT8);
  }

  /** Broadcast of a byte array. */
  default void broadcast(byte[] data, int root) {
    Arguments.require(data, "data");
    broadcast(MemorySegment.ofArray(data), DataType.INT8, root);
  }

  /** Gather of byte arrays; only the root needs {@code output}. */
  default void gather(byte[] input, byte @Nullable [] output, int root) {
    Arguments.require(input, "input");
    MemorySegment result = output == null ? null : MemorySegment.ofArray(output);
    gather(MemorySegment.ofArray(input), result, DataType.INT8, root);
  }

  /** Scatter of byte arrays; only the root needs {@code input}. */
  default void scatter(byte @Nullable [] input, byte[] output, int root) {
    Arguments.require(output, "output");
    MemorySegment blocks = input == null ? null : MemorySegment.ofArray(input);
    scatter(blocks, MemorySegment.ofArray(output), DataType.INT8, root);
  }

  /** Sends a byte array. */
  default void send(byte[] data, int destination) {
    Arguments.require(data, "data");
    send(MemorySegment.ofArray(data), DataType.INT8, destination);
  }

  /** Receives a byte array. */
  default void receive(byte[] data, int source) {
    Arguments.require(data, "data");
    receive(MemorySegment.ofArray(data), DataType.INT8, source);
  }

  /** All-gather of short arrays. */
  default void allGather(short[] input, short[] output) {
    Arguments.require(input, "input");
    Arguments.require(output, "output");
    allGather(MemorySegment.ofArray(input), MemorySegment.ofArray(output), DataType.INT16);
  }

  /** All-to-all of short arrays. */
  default void allToAll(short[] input, short[] output) {
    Arguments.require(input, "input");
    Arguments.require(output, "output");
    allToAll(MemorySegment.ofArray(input), MemorySegment.ofArray(output), DataType.INT16);
  }

  /** Broadcast of a short array. */
  default void broadcast(short[] data, int root) {
    Arguments.require(data, "data");
    broadcast(MemorySegment.ofArray(data), DataType.INT16, root);
  }

  /** Gather of short arrays; only the root needs {@code output}. */
  default void gather(short[] input, short @Nullable [] output, int root) {
    Arguments.require(input, "input");
    MemorySegment result = output == null ? null : MemorySegment.ofArray(output);
    gather(MemorySegment.ofArray(input), result, DataType.INT16, root);
  }

  /** Scatter of short arrays; only the root needs {@code input}. */
  default void scatter(short @Nullable [] input, short[] output, int root) {
    Arguments.require(output, "output");
    MemorySegment blocks = input == null ? null : MemorySegment.ofArray(input);
    scatter(blocks, MemorySegment.ofArray(output), DataType.INT16, root);
  }

  /** Sends a short array. */
  default void send(short[] data, int destination) {
    Arguments.require(data, "data");
    send(MemorySegment.ofArray(data), DataType.INT16, destination);
  }

  /** Receives a short array. */
  default void receive(short[] data, int source) {
    Arguments.require(data, "data");
    receive(MemorySegment.ofArray(data), DataType.INT16, source);
  }

  /** All-gather of int arrays. */
  default void allGather(int[] input, int[] output) {
    Arguments.require(input, "input");
    Arguments.require(output, "output");
    allGather(MemorySegment.ofArray(input), MemorySegment.ofArray(output), DataType.INT32);
  }

  /** All-to-all of int arrays. */
  default void allToAll(int[] input, int[] output) {
    Arguments.require(input, "input");
    Arguments.require(output, "output");
    allToAll(MemorySegment.ofArray(input), MemorySegment.ofArray(output), DataType.INT32);
  }

  /** Broadcast of a int array. */
  default void broadcast(int[] data, int root) {
    Arguments.require(data, "data");
    broadcast(MemorySegment.ofArray(data), DataType.INT32, root);
  }

  /** Gather of int arrays; only the root needs {@code output}. */
  default void gather(int[] input, int @Nullable [] output, int root) {
    Arguments.require(input, "input");
    MemorySegment result = output == null ? null : MemorySegment.ofArray(output);
    gather(MemorySegment.ofArray(input), result, DataType.INT32, root);
  }

  /** Scatter of int arrays; only the root needs {@code input}. */
  default void scatter(int @Nullable [] input, int[] output, int root) {
    Arguments.require(output, "output");
    MemorySegment blocks = input == null ? null : MemorySegment.ofArray(input);
    scatter(blocks, MemorySegment.ofArray(output), DataType.INT32, root);
  }

  /** Sends a int array. */
  default void send(int[] data, int destination) {
    Arguments.require(data, "data");
    send(MemorySegment.ofArray(data), DataType.INT32, destination);
  }

  /** Receives a int array. */
  default void receive(int[] data, int source) {
    Arguments.require(data, "data");
    receive(MemorySegment.ofArray(data), DataType.INT32, source);
  }

  /** All-gather of long arrays. */
  default void allGather(long[] input, long[] output) {
    Arguments.require(input, "input");
    Arguments.require(output, "output");
    allGather(MemorySegment.ofArray(input), MemorySegment.ofArray(output), DataType.INT64);
  }

  /** All-to-all of long arrays. */
  default void allToAll(long[] input, long[] output) {
    Arguments.require(input, "input");
    Arguments.require(output, "output");
    allToAll(MemorySegment.ofArray(input), MemorySegment.ofArray(output), DataType.INT64);
  }

  /** Broadcast of a long array. */
  default void broadcast(long[] data, int root) {
    Arguments.require(data, "data");
    broadcast(MemorySegment.ofArray(data), DataType.INT64, root);
  }

  /** Gather of long arrays; only the root needs {@code output}. */
  default void gather(long[] input, long @Nullable [] output, int root) {
    Arguments.require(input, "input");
    MemorySegment result = output == null ? null : MemorySegment.ofArray(output);
    gather(MemorySegment.ofArray(input), result, DataType.INT64, root);
  }

  /** Scatter of long arrays; only the root needs {@code input}. */
  default void scatter(long @Nullable [] input, long[] output, int root) {
    Arguments.require(output, "output");
    MemorySegment blocks = input == null ? null : MemorySegment.ofArray(input);
    scatter(blocks, MemorySegment.ofArray(output), DataType.INT64, root);
  }

  /** Sends a long array. */
  default void send(long[] data, int destination) {
    Arguments.require(data, "data");
    send(MemorySegment.ofArray(data), DataType.INT64, destination);
  }

  /** Receives a long array. */
  default void receive(long[] data, int source) {
    Arguments.require(data, "data");
    receive(MemorySegment.ofArray(data), DataType.INT64, source);
  }

  /** All-gather of float arrays. */
  default void allGather(float[] input, float[] output) {
    Arguments.require(input, "input");
    Arguments.require(output, "output");
    allGather(MemorySegment.ofArray(input), MemorySegment.ofArray(output), DataType.FLOAT32);
  }

  /** All-to-all of float arrays. */
  default void allToAll(float[] input, float[] output) {
    Arguments.require(input, "input");
    Arguments.require(output, "output");
    allToAll(MemorySegment.ofArray(input), MemorySegment.ofArray(output), DataType.FLOAT32);
  }

  /** Broadcast of a float array. */
  default void broadcast(float[] data, int root) {
    Arguments.require(data, "data");
    broadcast(MemorySegment.ofArray(data), DataType.FLOAT32, root);
  }

  /** Gather of float arrays; only the root needs {@code output}. */
  default void gather(float[] input, float @Nullable [] output, int root) {
    Arguments.require(input, "input");
    MemorySegment result = output == null ? null : MemorySegment.ofArray(output);
    gather(MemorySegment.ofArray(input), result, DataType.FLOAT32, root);
  }

  /** Scatter of float arrays; only the root needs {@code input}. */
  default void scatter(float @Nullable [] input, float[] output, int root) {
    Arguments.require(output, "output");
    MemorySegment blocks = input == null ? null : MemorySegment.ofArray(input);
    scatter(blocks, MemorySegment.ofArray(output), DataType.FLOAT32, root);
  }

  /** Sends a float array. */
  default void send(float[] data, int destination) {
    Arguments.require(data, "data");
    send(MemorySegment.ofArray(data), DataType.FLOAT32, destination);
  }

  /** Receives a float array. */
  default void receive(float[] data, int source) {
    Arguments.require(data, "data");
    receive(MemorySegment.ofArray(data), DataType.FLOAT32, source);
  }

  /** All-gather of double arrays. */
  default void allGather(double[] input, double[] output) {
    Arguments.require(input, "input");
    Arguments.require(output, "output");
    allGather(MemorySegment.ofArray(input), MemorySegment.ofArray(output), DataType.FLOAT64);
  }

  /** All-to-all of double arrays. */
  default void allToAll(double[] input, double[] output) {
    Arguments.require(input, "input");
    Arguments.require(output, "output");
    allToAll(MemorySegment.ofArray(input), MemorySegment.ofArray(output), DataType.FLOAT64);
  }

  /** Broadcast of a double array. */
  default void broadcast(double[] data, int root) {
    Arguments.require(data, "data");
    broadcast(MemorySegment.ofArray(data), DataType.FLOAT64, root);
  }

  /** Gather of double arrays; only the root needs {@code output}. */
  default void gather(double[] input, double @Nullable [] output, int root) {
    Arguments.require(input, "input");
    MemorySegment result = output == null ? null : MemorySegment.ofArray(output);
    gather(MemorySegment.ofArray(input), result, DataType.FLOAT64, root);
  }

  /** Scatter of double arrays; only the root needs {@code input}. */
  default void scatter(double @Nullable [] input, double[] output, int root) {
    Arguments.require(output, "output");
    MemorySegment blocks = input == null ? null : MemorySegment.ofArray(input);
    scatter(blocks, MemorySegment.ofArray(output), DataType.FLOAT64, root);
  }

  /** Sends a double array. */
  default void send(double[] data, int destination) {
    Arguments.require(data, "data");
    send(MemorySegment.ofArray(data), DataType.FLOAT64, destination);
  }

  /** Receives a double array. */
  default void receive(double[] data, int source) {
    Arguments.require(data, "data");
    receive(MemorySegment.ofArray(data), DataType.FLOAT64, source);
  }
}
