package dev.tutti.cli.request;

import dev.tutti.cli.options.Reduction;
import dev.tutti.host.Request;
import dev.tutti.host.call.CallOptions;
import dev.tutti.host.call.CollectiveCall;
import dev.tutti.plugin.Algorithm;
import dev.tutti.sdk.ReduceOp;
import org.jspecify.annotations.Nullable;

/**
 * The algorithm and the options with which an operation ran.
 *
 * @param call the operation
 * @param algorithm the algorithm that was chosen
 * @param options its options, with the chosen mode
 * @param isInPlace whether input and output were the same memory
 * @param isStaged whether a buffer was copied so that peers could access it
 */
public record RanWith(
    CollectiveCall call,
    Algorithm algorithm,
    CallOptions options,
    boolean isInPlace,
    boolean isStaged) {

  /** The reduction; null if there is none. */
  public @Nullable String opLabel() {
    ReduceOp op = call.reduceOp();
    return op == null ? null : new Reduction(op, options.averages()).label();
  }

  /** The same with another algorithm. */
  RanWith with(Algorithm other) {
    return new RanWith(call, other, options, isInPlace, isStaged);
  }

  /** The algorithm and the options of a request of a whole group. */
  static RanWith of(Request request) {
    return new RanWith(
        request.call(),
        request.algorithm(),
        request.options().withMode(request.workflow().mode()),
        request.isInPlace(),
        request.isStaged());
  }
}
