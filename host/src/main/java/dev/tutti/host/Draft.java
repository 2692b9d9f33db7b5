package dev.tutti.host;

import dev.tutti.host.engine.CompiledPlan;
import dev.tutti.sdk.param.OpParam;
import dev.tutti.sdk.plan.GroupPlan;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The plan of one candidate for a call.
 *
 * @param params the operation as each rank sees it; null for ranks that take no part
 * @param plan the plan
 * @param compiled the plan for the engine
 */
record Draft(List<@Nullable OpParam> params, GroupPlan plan, CompiledPlan compiled) {}
