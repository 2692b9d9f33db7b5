package dev.tutti.plan;

import dev.tutti.sdk.Arguments;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.Operation;
import dev.tutti.sdk.Support;
import dev.tutti.sdk.param.OpParam;
import dev.tutti.sdk.resource.AlgResourceRequest;
import dev.tutti.sdk.resource.AlgResourceResponse;
import dev.tutti.sdk.resource.TransportMemType;

/**
 * An executor that stands in for an algorithm with a finished plan: its recording is that plan. It
 * supports only requests whose buffers have the sizes of the plan. Immutable and thread-safe.
 *
 * @param <P> the request of the operation
 */
public final class PlanExecutor<P extends OpParam> extends CollExecutorBase<P> {

  private final GroupPlan plan;
  private final Operation operation;

  private PlanExecutor(GroupPlan plan, Operation operation) {
    this.plan = plan;
    this.operation = operation;
  }

  /**
   * An executor for a plan.
   *
   * @param plan a plan that was recorded or that {@link GroupPlan#check} accepts
   * @param operation the operation of the plan; SEND or RECEIVE for a transfer, which needs two
   *     executors
   */
  public static <P extends OpParam> PlanExecutor<P> of(GroupPlan plan, Operation operation) {
    Arguments.require(plan, "plan");
    Arguments.require(operation, "operation");
    return new PlanExecutor<>(plan, operation);
  }

  /** The operation of the plan. */
  public Operation operation() {
    return operation;
  }

  /** The plan of one rank. */
  RankPlan rank(int rank) {
    return plan.rank(rank);
  }

  @Override
  public Support supports(P param) {
    Arguments.require(param, "param");
    int ranks = param.comm().rankSize();
    if (ranks != plan.rankSize()) {
      return Support.no("it is a plan for " + plan.rankSize() + " ranks");
    }
    if (param.inPlace() != plan.inPlace()) {
      return Support.no(
          plan.inPlace() ? "the plan is for calls in place" : "the plan is for calls out of place");
    }
    RankPlan rank = plan.rank(param.comm().rank());
    boolean fits =
        rank.memSize(TransportMemType.PARAM_INPUT) == param.inputBytes()
            && rank.memSize(TransportMemType.PARAM_OUTPUT) == param.outputBytes()
            && rank.memSize(TransportMemType.CCL_INPUT) <= param.comm().cclBufferSize()
            && rank.memSize(TransportMemType.CCL_OUTPUT) <= param.comm().cclBufferSize();
    return Support.when(fits, "the plan is for buffers of other sizes");
  }

  /** None: the plan already has its resources. */
  @Override
  public AlgResourceRequest calcResRequest(P param) {
    Arguments.require(param, "param");
    return AlgResourceRequest.none();
  }

  /** Never called: a recording uses the finished plan. */
  @Override
  public void orchestrate(P param, AlgResourceResponse resources) {
    Arguments.require(param, "param");
    Arguments.require(resources, "resources");
    throw new IllegalStateException("a finished plan cannot be recorded again");
  }
}
