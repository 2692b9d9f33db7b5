package dev.tutti.plan;

import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.param.AllReduceParam;
import dev.tutti.sdk.resource.AlgResourceRequest;
import dev.tutti.sdk.resource.AlgResourceResponse;
import java.util.function.BiConsumer;
import java.util.function.Function;

/** An executor made of two functions. */
final class ScriptedExecutor extends CollExecutorBase<AllReduceParam> {

  private final Function<AllReduceParam, AlgResourceRequest> request;
  private final BiConsumer<AllReduceParam, AlgResourceResponse> body;

  ScriptedExecutor(
      Function<AllReduceParam, AlgResourceRequest> request,
      BiConsumer<AllReduceParam, AlgResourceResponse> body) {
    this.request = request;
    this.body = body;
  }

  @Override
  public AlgResourceRequest calcResRequest(AllReduceParam param) {
    return request.apply(param);
  }

  @Override
  public void orchestrate(AllReduceParam param, AlgResourceResponse resources) {
    body.accept(param, resources);
  }
}
