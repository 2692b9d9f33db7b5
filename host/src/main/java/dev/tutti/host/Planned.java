package dev.tutti.host;

import dev.tutti.host.engine.CompiledPlan;
import dev.tutti.host.engine.MemoryUse;
import dev.tutti.host.live.Generation;
import dev.tutti.host.plugin.Algorithm;
import dev.tutti.sdk.param.OpParam;
import dev.tutti.sdk.plan.GroupPlan;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A call with its plan, ready to be bound to buffers.
 *
 * @param key what it is the plan of
 * @param params the operation as each rank sees it; null for ranks that take no part
 * @param algorithm the algorithm; of a transfer, the sender's
 * @param plan the plan
 * @param compiled the plan for the engine
 * @param use the memory of the group that it touches
 * @param packing what stands between the plan and the buffers; null if they are contiguous
 * @param generation the plugin's term of service that it was made in
 * @param catalogue the number of the catalogue that it was chosen from
 */
record Planned(
    PlanKey key,
    List<@Nullable OpParam> params,
    Algorithm algorithm,
    GroupPlan plan,
    CompiledPlan compiled,
    MemoryUse use,
    @Nullable Packing packing,
    Generation generation,
    long catalogue) {

  /**
   * Whether a call of the same key would get this plan again: its plugin still serves, and if the
   * algorithm was chosen for the caller, nothing has come since that might be better.
   */
  boolean isCurrent(long currentCatalogue) {
    return catalogue == currentCatalogue || (key.algorithm() != null && !generation.isRetired());
  }
}
