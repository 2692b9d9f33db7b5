package dev.tutti.testkit.elsewhere;

import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.param.OpParam;
import dev.tutti.sdk.resource.AlgResourceRequest;
import dev.tutti.sdk.resource.AlgResourceResponse;

/** An executor for one rank whose needs are known already. */
final class Foretold<P extends OpParam> extends CollExecutorBase<P> {

  private final CollExecutorBase<P> executor;
  private final AlgResourceRequest request;

  Foretold(CollExecutorBase<P> executor, AlgResourceRequest request) {
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
