package dev.tutti.mutation;

import dev.tutti.sdk.AlgParameter;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.Support;
import dev.tutti.sdk.param.OpParam;
import dev.tutti.sdk.resource.AlgResourceRequest;
import dev.tutti.sdk.resource.AlgResourceResponse;
import java.util.List;

/** An executor that plans like another one, but requests other resources. */
final class ChangedRequest<P extends OpParam> extends CollExecutorBase<P> {

  private final CollExecutorBase<P> original;
  private final RequestMutants.Change change;

  ChangedRequest(CollExecutorBase<P> original, RequestMutants.Change change) {
    this.original = original;
    this.change = change;
  }

  @Override
  public Support supports(P param) {
    return original.supports(param);
  }

  @Override
  public AlgResourceRequest calcResRequest(P param) {
    return change.of(param.comm().rank(), original.calcResRequest(param));
  }

  @Override
  public void orchestrate(P param, AlgResourceResponse resources) {
    original.orchestrate(param, resources);
  }

  @Override
  public List<AlgParameter<?>> parameters() {
    return original.parameters();
  }

  @Override
  public Determinism determinism() {
    return original.determinism();
  }
}
