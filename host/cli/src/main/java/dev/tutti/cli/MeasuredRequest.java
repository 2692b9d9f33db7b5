package dev.tutti.cli;

import dev.tutti.engine.kernel.Kernels;
import dev.tutti.host.Context;
import dev.tutti.host.Group;
import dev.tutti.host.Request;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.param.OpParam;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One request under measurement: its buffers, its times, and the proof that its results are right.
 */
final class MeasuredRequest implements AutoCloseable {

  private final OperationSpec spec;
  private final List<@Nullable OpParam> params;
  private final Buffers buffers;
  private final Request request;
  private final @Nullable ResultCheck check;

  /** Allocates the buffers and builds the request. */
  MeasuredRequest(Context context, Group group, OperationSpec spec, MeasurementOptions options) {
    this.spec = spec;
    params = Calls.params(spec.call(), spec.topology(), spec.isInPlace());
    buffers =
        new Buffers(context, options.memory(), params, spec.isInPlace(), options.isVerified());
    try {
      request = spec.request(group).buffers(buffers.inputs(), buffers.outputs()).build();
    } catch (RuntimeException e) {
      buffers.close();
      throw e;
    }
    check = options.isVerified() ? new ResultCheck(params, buffers) : null;
  }

  Request request() {
    return request;
  }

  Buffers buffers() {
    return buffers;
  }

  /** Waits until the kernel of the reduction is compiled, at most for a time. */
  void warmKernel(Duration longest) {
    ReduceOp op = request.call().reduceOp();
    if (op != null) {
      Kernels.warm(request.call().dataType(), op, longest);
    }
  }

  /** Runs once on data of a seed and compares all results, if that is wanted. */
  void verify(long seed) {
    if (check != null) {
      check.run(request, seed);
    }
  }

  Measurement measurement(Times times, double b2bMicros, HopRange hop) {
    return new Measurement(
        spec.name(),
        request,
        params.size(),
        Calls.messageBytes(params),
        times,
        b2bMicros,
        hop,
        check != null);
  }

  @Override
  public void close() {
    request.close();
    buffers.close();
  }
}
