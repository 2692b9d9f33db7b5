package dev.tutti.sdk.param;

import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.Operation;

/**
 * The request of one rank: an operation with its counts, type and group. Immutable.
 *
 * <p>Everything except {@code comm().rank()} is the same on all ranks, unless a record says
 * otherwise. The set is open: a {@code switch} in plugin code needs a {@code default}.
 */
public sealed interface OpParam
    permits AllGatherParam,
        AllGatherVParam,
        AllReduceParam,
        AllToAllParam,
        AllToAllVParam,
        BarrierParam,
        BatchSendRecvParam,
        BroadcastParam,
        ExclusiveScanParam,
        GatherParam,
        GatherVParam,
        ReceiveParam,
        ReduceParam,
        ReduceScatterParam,
        ReduceScatterVParam,
        ScanParam,
        ScatterParam,
        ScatterVParam,
        SendParam {

  /** The group, and this rank in it. */
  CommInfo comm();

  /** The caller's name for this operation, used in messages and traces; may be empty. */
  String tag();

  /** Values for the parameters of the algorithm. */
  AlgOptions options();

  /** The operation. */
  Operation operation();

  /** The size of this rank's input memory in bytes. */
  long inputBytes();

  /** The size of this rank's output memory in bytes. */
  long outputBytes();

  /**
   * The message size in bytes, by which Tutti chooses an algorithm; equal on all ranks. It is the
   * whole vector for operations with equal blocks, the total over all ranks for the V forms, and
   * the largest transfer for point-to-point operations.
   */
  long messageBytes();

  /**
   * The same request in another view of the group: as another rank sees it, or in another mode.
   *
   * @throws dev.tutti.sdk.TuttiException if the values do not fit the new view
   */
  OpParam withComm(CommInfo newComm);

  /** The same request with other values for the algorithm's parameters. */
  OpParam withOptions(AlgOptions newOptions);

  /** Whether input and output are the same memory. */
  default boolean inPlace() {
    return false;
  }
}
