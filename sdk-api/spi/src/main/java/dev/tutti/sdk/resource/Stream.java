package dev.tutti.sdk.resource;

import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ReduceOp;
import java.util.List;

/**
 * An ordered queue of actions of one rank. Calling a method emits an action; nothing runs yet.
 * Actions of one stream run one after another; only notifies order actions of different streams.
 * Implemented by the host; methods may be added.
 *
 * <p>Actions of zero bytes are accepted but not emitted. Every method throws {@link
 * dev.tutti.sdk.TuttiException} with code OUT_OF_BOUNDS, RESOURCE_MISMATCH or INVALID_ARGUMENT for
 * memory that does not fit.
 */
public interface Stream {

  /** 0 for the main stream, 1 and up for slave streams. */
  int id();

  /**
   * Copies local memory.
   *
   * @param dst the destination, of this rank
   * @param src the source, of this rank; as large as {@code dst}, and not overlapping it
   */
  void copy(DeviceMem dst, DeviceMem src);

  /**
   * Combines local memory: {@code dst = dst ⊕ src}, operands in this order.
   *
   * @param dst of this rank, a whole number of elements
   * @param src of this rank; as large as {@code dst}, and not overlapping it
   */
  void reduce(DeviceMem dst, DeviceMem src, DataType dataType, ReduceOp reduceOp);

  /**
   * Combines several sources in one pass: {@code dst = ((s0 ⊕ s1) ⊕ s2) …}, left to right in the
   * given order. 16-bit floats are accumulated in float32 over all sources and rounded once. A
   * single source is copied.
   *
   * @param dst of this rank, a whole number of elements; may be equal to one of the sources, but
   *     must not partly overlap one
   * @param sources one or more spans as large as {@code dst}, of this rank or, over links whose
   *     protocol is DIRECT, of peers
   */
  void reduceFrom(DeviceMem dst, List<DeviceMem> sources, DataType dataType, ReduceOp reduceOp);

  /** Sets a notify of this rank. */
  void post(Notify notify);

  /** Waits for a notify of this rank and clears it. */
  void await(Notify notify);

  /**
   * Starts slave streams: posts a notify to each, which the slave awaits. Only on the main stream.
   */
  void fork(List<Stream> slaves);

  /**
   * Waits for slave streams: each posts a notify, which this stream awaits. Only on the main
   * stream.
   */
  void join(List<Stream> slaves);
}
