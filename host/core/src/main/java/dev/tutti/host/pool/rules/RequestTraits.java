package dev.tutti.host.pool.rules;

import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.param.AllGatherParam;
import dev.tutti.sdk.param.AllGatherVParam;
import dev.tutti.sdk.param.AllReduceParam;
import dev.tutti.sdk.param.AllToAllParam;
import dev.tutti.sdk.param.AllToAllVParam;
import dev.tutti.sdk.param.BarrierParam;
import dev.tutti.sdk.param.BatchSendRecvParam;
import dev.tutti.sdk.param.BroadcastParam;
import dev.tutti.sdk.param.ExclusiveScanParam;
import dev.tutti.sdk.param.GatherParam;
import dev.tutti.sdk.param.GatherVParam;
import dev.tutti.sdk.param.OpParam;
import dev.tutti.sdk.param.ReceiveParam;
import dev.tutti.sdk.param.ReduceParam;
import dev.tutti.sdk.param.ReduceScatterParam;
import dev.tutti.sdk.param.ReduceScatterVParam;
import dev.tutti.sdk.param.ScanParam;
import dev.tutti.sdk.param.ScatterParam;
import dev.tutti.sdk.param.ScatterVParam;
import dev.tutti.sdk.param.SendParam;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Properties that only some requests have. */
final class RequestTraits {

  private RequestTraits() {}

  /** The element type; null for a barrier. */
  static @Nullable DataType dataType(OpParam param) {
    return switch (param) {
      case AllGatherParam it -> it.dataType();
      case AllGatherVParam it -> it.dataType();
      case AllReduceParam it -> it.dataType();
      case AllToAllParam it -> it.dataType();
      case AllToAllVParam it -> it.dataType();
      case BarrierParam _ -> null;
      case BatchSendRecvParam it -> it.dataType();
      case BroadcastParam it -> it.dataType();
      case ExclusiveScanParam it -> it.dataType();
      case GatherParam it -> it.dataType();
      case GatherVParam it -> it.dataType();
      case ReceiveParam it -> it.dataType();
      case ReduceParam it -> it.dataType();
      case ReduceScatterParam it -> it.dataType();
      case ReduceScatterVParam it -> it.dataType();
      case ScanParam it -> it.dataType();
      case ScatterParam it -> it.dataType();
      case ScatterVParam it -> it.dataType();
      case SendParam it -> it.dataType();
    };
  }

  /** The reduction; null for operations that only move data. */
  static @Nullable ReduceOp reduceOp(OpParam param) {
    return switch (param) {
      case AllReduceParam it -> it.reduceOp();
      case ExclusiveScanParam it -> it.reduceOp();
      case ReduceParam it -> it.reduceOp();
      case ReduceScatterParam it -> it.reduceOp();
      case ReduceScatterVParam it -> it.reduceOp();
      case ScanParam it -> it.reduceOp();
      default -> null;
    };
  }

  /** Whether a set allows the value of a request; null if the request has no such value. */
  static <T> boolean allows(Set<T> set, @Nullable T value) {
    return set.isEmpty() || (value != null && set.contains(value));
  }
}
