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
 * @param compiled what runs, for the engine
 * @param packing what stands between the plan and the buffers; null if both are contiguous
 * @param cloned how it was made from another one; null if it was made from nothing
 */
record CandidatePlan(
    List<@Nullable OpParam> params,
    GroupPlan plan,
    CompiledPlan compiled,
    @Nullable Packing packing,
    @Nullable ClonedPlan cloned) {

  /** What runs: the plan, or the plan between packing and unpacking. */
  GroupPlan whole() {
    return packing == null ? plan : packing.composite().plan();
  }
}
