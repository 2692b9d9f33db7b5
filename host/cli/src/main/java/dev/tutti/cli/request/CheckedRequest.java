package dev.tutti.cli.request;

import dev.tutti.cli.options.MeasurementOptions;
import dev.tutti.cli.options.OperationName;
import dev.tutti.cli.options.OperationSpec;
import dev.tutti.cli.options.UniformCalls;
import dev.tutti.engine.kernel.Kernels;
import dev.tutti.host.Context;
import dev.tutti.host.Group;
import dev.tutti.host.Request;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.param.OpParam;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One request with its buffers, and the proof that its results are right. */
public final class CheckedRequest implements AutoCloseable {

  private final OperationSpec spec;
  private final List<@Nullable OpParam> params;
  private final RankBuffers buffers;
  private final Request request;
  private final @Nullable ResultCheck check;

  /** Allocates the buffers and builds the request. */
  public CheckedRequest(
      Context context, Group group, OperationSpec spec, MeasurementOptions options) {
    this.spec = spec;
    params = UniformCalls.params(spec.call(), spec.topology(), spec.isInPlace());
    buffers =
        new RankBuffers(context, options.memory(), params, spec.isInPlace(), options.isVerified());
    try {
      request = spec.request(group).buffers(buffers.inputs(), buffers.outputs()).build();
    } catch (RuntimeException e) {
      buffers.close();
      throw e;
    }
    check = options.isVerified() ? new ResultCheck(params, buffers) : null;
  }

  public Request request() {
    return request;
  }

  public RankBuffers buffers() {
    return buffers;
  }

  /** Waits until the kernel of the reduction is compiled, at most for a time. */
  public void warmKernel(Duration longest) {
    ReduceOp op = request.call().reduceOp();
    if (op != null) {
      Kernels.warm(request.call().dataType(), op, longest);
    }
  }

  /** Runs once on data of a seed and compares all results, if that is wanted. */
  public void verify(long seed) {
    if (check != null) {
      check.run(request, seed);
    }
  }

  /** The number of ranks. */
  public int ranks() {
    return params.size();
  }

  /** The operation, as it was asked for. */
  public OperationName name() {
    return spec.name();
  }

  /** The full vector of one rank. */
  public long bytes() {
    return UniformCalls.messageBytes(params);
  }

  /** Whether results are compared with independent ones. */
  public boolean isVerified() {
    return check != null;
  }

  @Override
  public void close() {
    request.close();
    buffers.close();
  }
}
