package dev.tutti.host.planning;

import dev.tutti.engine.CompiledPlan;
import dev.tutti.engine.MemoryUse;
import dev.tutti.engine.queue.OperationQueues;
import dev.tutti.plan.PlanClone;
import dev.tutti.sdk.param.OpParam;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A plan that was made from another plan with the same structure.
 *
 * @param of the other plan
 * @param plan the new plan
 */
public record ClonedPlan(KnownPlan of, PlanClone plan) {

  /** The memory of the group that the plan touches. */
  MemoryUse use() {
    return MemoryUse.of(plan, of.use());
  }

  /** Whether the verdict that the other plan is correct also holds for it. */
  boolean isJudged(List<@Nullable OpParam> params) {
    return of.isJudgedFor(plan, params);
  }

  /**
   * Compiles it for ranks that run it with their own threads; empty if it cannot share the compiled
   * form of the other plan.
   */
  public Optional<CompiledPlan> compile(OperationQueues queues) {
    return of.compile(plan, queues);
  }
}
