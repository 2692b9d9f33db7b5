package dev.tutti.sdk.resource;

import dev.tutti.sdk.Arguments;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.ReduceOp;

/**
 * The established connection from this rank to one peer, with its own notifies and the peer's
 * registered memory. Calling a verb emits actions on a stream; nothing runs yet. Implemented by the
 * host; methods may be added.
 *
 * <p>Each end of a link has its own notifies. A post sets a notify at the peer's end; an await
 * waits for the notify of the same index at this end.
 *
 * <p>With the explicit verbs, the author chooses which side moves the data. With the paired verbs,
 * the protocol decides: DIRECT links pull, RDMA links push. Each side calls its half, and the pair
 * becomes explicit verbs:
 *
 * <table>
 *   <caption>Lowering of the paired verbs</caption>
 *   <tr><th>call</th><th>DIRECT</th><th>RDMA</th></tr>
 *   <tr><td>txAck / rxAck</td><td>post READY / await READY</td><td>the same</td></tr>
 *   <tr><td>txAsync</td><td>post FIN</td><td>write, post FIN</td></tr>
 *   <tr><td>rxAsync</td><td>await FIN, read</td><td>await FIN</td></tr>
 *   <tr><td>txWithReduce</td><td>post FIN</td><td>writeReduce, post FIN</td></tr>
 *   <tr><td>rxWithReduce</td><td>await FIN, readReduce</td><td>await FIN</td></tr>
 *   <tr><td>txData / txDataSignal</td><td>nothing / post FIN</td><td>write / post FIN</td></tr>
 *   <tr><td>rxData / rxDataSignal</td><td>await FIN, read / nothing</td>
 *       <td>nothing / await FIN</td></tr>
 *   <tr><td>txPrepare / rxPrepare</td><td>post READY / await READY</td>
 *       <td>await READY / post READY</td></tr>
 *   <tr><td>txDone / rxDone</td><td>await FIN_ACK / post FIN_ACK</td><td>the same</td></tr>
 *   <tr><td>rxWaitDone / txWaitDone</td><td>post FIN_ACK / await FIN_ACK</td>
 *       <td>the same if the link acknowledges received data, else nothing</td></tr>
 *   <tr><td>dataReceivedAck</td><td>post FIN_ACK, await FIN_ACK</td><td>the same</td></tr>
 * </table>
 *
 * <p>Memory arguments are checked like those of {@link Stream}.
 */
public interface Link {

  /** Index of the notify with which a side signals that its memory may be accessed. */
  int READY = 0;

  /** Index of the notify with which a side signals that data has arrived. */
  int FIN = 1;

  /** Index of the notify with which a side acknowledges the data. */
  int FIN_ACK = 2;

  /** The number of notifies of each end that the paired verbs use. */
  int PAIRED_NOTIFIES = 3;

  /** The peer's rank in the group. */
  int remoteUserRank();

  /** How bytes cross this link. */
  Protocol protocol();

  /** The number of notifies at each end, {@link #PAIRED_NOTIFIES} or more. */
  int notifyNum();

  /**
   * The peer's memory of one kind.
   *
   * @throws dev.tutti.sdk.TuttiException with code RESOURCE_MISMATCH if the link was requested for
   *     other kinds of memory
   */
  DeviceMem remote(TransportMemType type);

  /**
   * The same place at the peer: equal kind of memory, offset and size.
   *
   * @param local a span of this rank's memory
   * @throws dev.tutti.sdk.TuttiException as {@link #remote(TransportMemType)}; with code
   *     OUT_OF_BOUNDS if the peer's memory is smaller
   */
  default DeviceMem remote(DeviceMem local) {
    Arguments.require(local, "local");
    return remote(local.type()).slice(local.offset(), local.size());
  }

  /**
   * Reads from the peer.
   *
   * @param localDst the destination, of this rank
   * @param remoteSrc the source, of the peer; as large as {@code localDst}
   */
  void read(Stream stream, DeviceMem localDst, DeviceMem remoteSrc);

  /** Reads from the peer and combines: {@code localDst = localDst ⊕ remoteSrc}. */
  void readReduce(
      Stream stream, DeviceMem localDst, DeviceMem remoteSrc, DataType dataType, ReduceOp reduceOp);

  /**
   * Writes to the peer.
   *
   * @param remoteDst the destination, of the peer
   * @param localSrc the source, of this rank; as large as {@code remoteDst}
   */
  void write(Stream stream, DeviceMem remoteDst, DeviceMem localSrc);

  /** Writes to the peer and combines there: {@code remoteDst = remoteDst ⊕ localSrc}. */
  void writeReduce(
      Stream stream, DeviceMem remoteDst, DeviceMem localSrc, DataType dataType, ReduceOp reduceOp);

  /**
   * Sets a notify at the peer's end.
   *
   * @param index 0 to {@link #notifyNum()} - 1
   */
  void post(Stream stream, int index);

  /**
   * Waits for a notify at this end and clears it.
   *
   * @param index 0 to {@link #notifyNum()} - 1
   */
  void await(Stream stream, int index);

  /** Signals the peer that this rank's memory may be accessed. */
  void txAck(Stream stream);

  /** Waits until the peer's memory may be accessed. */
  void rxAck(Stream stream);

  /**
   * Sends the data, then the signal that it has arrived.
   *
   * @param dstType the kind of the peer's memory that receives the data
   * @param dstOffset bytes from the start of that memory
   * @param src the source, of this rank
   */
  void txAsync(Stream stream, TransportMemType dstType, long dstOffset, DeviceMem src);

  /**
   * Receives: waits for the signal. Afterwards the data is in {@code dst}.
   *
   * @param srcType the kind of the peer's memory that holds the data
   * @param srcOffset bytes from the start of that memory
   * @param dst the destination, of this rank
   */
  void rxAsync(Stream stream, TransportMemType srcType, long srcOffset, DeviceMem dst);

  /**
   * Sends to the same place at the peer.
   *
   * @param src the source, of this rank
   */
  default void txAsync(Stream stream, DeviceMem src) {
    Arguments.require(stream, "stream");
    Arguments.require(src, "src");
    txAsync(stream, src.type(), src.offset(), src);
  }

  /**
   * Receives from the same place at the peer.
   *
   * @param dst the destination, of this rank
   */
  default void rxAsync(Stream stream, DeviceMem dst) {
    Arguments.require(stream, "stream");
    Arguments.require(dst, "dst");
    rxAsync(stream, dst.type(), dst.offset(), dst);
  }

  /** Sends to the same place at the peer, combining there: {@code dst = dst ⊕ src}. */
  default void txWithReduce(Stream stream, DeviceMem src, DataType dataType, ReduceOp reduceOp) {
    Arguments.require(stream, "stream");
    Arguments.require(src, "src");
    Arguments.require(dataType, "dataType");
    Arguments.require(reduceOp, "reduceOp");
    txWithReduce(stream, src.type(), src.offset(), src, dataType, reduceOp);
  }

  /** Receives from the same place at the peer, combining: {@code dst = dst ⊕ src}. */
  default void rxWithReduce(Stream stream, DeviceMem dst, DataType dataType, ReduceOp reduceOp) {
    Arguments.require(stream, "stream");
    Arguments.require(dst, "dst");
    Arguments.require(dataType, "dataType");
    Arguments.require(reduceOp, "reduceOp");
    rxWithReduce(stream, dst.type(), dst.offset(), dst, dataType, reduceOp);
  }

  /** {@link #txAsync}, combining at the destination: {@code dst = dst ⊕ src}. */
  void txWithReduce(
      Stream stream,
      TransportMemType dstType,
      long dstOffset,
      DeviceMem src,
      DataType dataType,
      ReduceOp reduceOp);

  /** {@link #rxAsync}, combining at the destination: {@code dst = dst ⊕ src}. */
  void rxWithReduce(
      Stream stream,
      TransportMemType srcType,
      long srcOffset,
      DeviceMem dst,
      DataType dataType,
      ReduceOp reduceOp);

  /** The data half of {@link #txAsync}. */
  void txData(Stream stream, TransportMemType dstType, long dstOffset, DeviceMem src);

  /** The signal half of {@link #txAsync}; comes after {@link #txData}. */
  void txDataSignal(Stream stream);

  /** The data half of {@link #rxAsync}. */
  void rxData(Stream stream, TransportMemType srcType, long srcOffset, DeviceMem dst);

  /** The signal half of {@link #rxAsync}; the data has arrived after both. */
  void rxDataSignal(Stream stream);

  /** The sender's side of opening a transfer. */
  void txPrepare(Stream stream);

  /** The receiver's side of opening a transfer. */
  void rxPrepare(Stream stream);

  /** The sender's side of closing a transfer. */
  void txDone(Stream stream);

  /** The receiver's side of closing a transfer. */
  void rxDone(Stream stream);

  /** The sender's side of closing a round: waits until the peer has acknowledged the data. */
  void txWaitDone(Stream stream);

  /** The receiver's side of closing a round: acknowledges the peer's data. */
  void rxWaitDone(Stream stream);

  /** Both sides at once: acknowledges the peer's data and waits for the peer's acknowledgement. */
  void dataReceivedAck(Stream stream);
}
