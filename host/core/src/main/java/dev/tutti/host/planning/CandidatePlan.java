package dev.tutti.host.planning;

import dev.tutti.engine.CompiledPlan;
import dev.tutti.plan.GroupPlan;
import dev.tutti.sdk.param.OpParam;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The plan of one candidate for a call.
 *
 * @param params the operation as each rank sees it; null for ranks that take no part
 * @param plan the plan, for contiguous data
 * @param compiled the compiled plan for the engine
 * @param packing the copies between the plan and the buffers; null if all buffers are contiguous
 * @param known the same plan as an origin from which others can be made; null if it is not an
 *     origin
 * @param cloned how it was made from another plan; null if it was planned from scratch
 */
record CandidatePlan(
    List<@Nullable OpParam> params,
    GroupPlan plan,
    CompiledPlan compiled,
    @Nullable Packing packing,
    @Nullable KnownPlan known,
    @Nullable ClonedPlan cloned) {

  /** The same, as an origin from which other plans can be made. */
  CandidatePlan knownAs(KnownPlan newKnown) {
    return new CandidatePlan(params, plan, compiled, packing, newKnown, cloned);
  }

  /** Whether the verdict on its origin holds for this plan, too. */
  boolean isJudged() {
    return cloned != null && cloned.isJudged(params);
  }

  /** The plan that runs: the plan itself, or the plan between packing and unpacking. */
  GroupPlan whole() {
    return packing == null ? plan : packing.composite().plan();
  }
}
