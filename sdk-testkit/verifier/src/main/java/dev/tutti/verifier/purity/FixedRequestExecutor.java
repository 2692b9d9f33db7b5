package dev.tutti.verifier.purity;

import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.param.OpParam;
import dev.tutti.sdk.resource.AlgResourceRequest;
import dev.tutti.sdk.resource.AlgResourceResponse;

/** An executor for one rank whose resource request is already known. */
final class FixedRequestExecutor<P extends OpParam> extends CollExecutorBase<P> {

  private final CollExecutorBase<P> executor;
  private final AlgResourceRequest request;

  FixedRequestExecutor(CollExecutorBase<P> executor, AlgResourceRequest request) {
    this.executor = executor;
    this.request = request;
  }

  @Override
  public AlgResourceRequest calcResRequest(P param) {
    return request;
  }

  @Override
  public void orchestrate(P param, AlgResourceResponse resources) {
    executor.orchestrate(param, resources);
  }
}
