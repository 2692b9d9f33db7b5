package dev.tutti.cli.request;

import dev.tutti.cli.options.Reduction;
import dev.tutti.host.Request;
import dev.tutti.host.call.CallOptions;
import dev.tutti.host.call.CollectiveCall;
import dev.tutti.plugin.Algorithm;
import dev.tutti.sdk.ReduceOp;
import org.jspecify.annotations.Nullable;

/**
 * With what an operation was run.
 *
 * @param call the operation
 * @param algorithm the algorithm that was chosen
 * @param options how it was run, with the mode that was chosen
 * @param isInPlace whether input and output were one memory
 * @param isStaged whether a buffer was copied for peers to reach it
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

  /** What a request of a whole group runs with. */
  static RanWith of(Request request) {
    return new RanWith(
        request.call(),
        request.algorithm(),
        request.options().withMode(request.workflow().mode()),
        request.isInPlace(),
        request.isStaged());
  }
}
