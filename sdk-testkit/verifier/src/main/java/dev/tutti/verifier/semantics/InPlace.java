package dev.tutti.verifier.semantics;

import dev.tutti.sdk.param.AllReduceParam;
import dev.tutti.sdk.param.BroadcastParam;
import dev.tutti.sdk.param.ExclusiveScanParam;
import dev.tutti.sdk.param.OpParam;
import dev.tutti.sdk.param.ReduceParam;
import dev.tutti.sdk.param.ScanParam;
import org.jspecify.annotations.Nullable;

/** Changes requests between in-place and out-of-place. */
public final class InPlace {

  private InPlace() {}

  /** The same request in place or out of place; null if the operation does not support both. */
  public static @Nullable OpParam of(OpParam param, boolean inPlace) {
    return switch (param) {
      case AllReduceParam p ->
          new AllReduceParam(
              p.comm(), p.tag(), p.options(), p.dataType(), p.reduceOp(), p.count(), inPlace);
      case ReduceParam p ->
          new ReduceParam(
              p.comm(),
              p.tag(),
              p.options(),
              p.dataType(),
              p.reduceOp(),
              p.count(),
              p.root(),
              inPlace);
      case BroadcastParam p ->
          new BroadcastParam(
              p.comm(), p.tag(), p.options(), p.dataType(), p.count(), p.root(), inPlace);
      case ScanParam p ->
          new ScanParam(
              p.comm(), p.tag(), p.options(), p.dataType(), p.reduceOp(), p.count(), inPlace);
      case ExclusiveScanParam p ->
          new ExclusiveScanParam(
              p.comm(), p.tag(), p.options(), p.dataType(), p.reduceOp(), p.count(), inPlace);
      default -> null;
    };
  }
}
