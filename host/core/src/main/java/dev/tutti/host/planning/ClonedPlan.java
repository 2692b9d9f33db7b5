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
 * A plan that was made from another one of its structure.
 *
 * @param of the other one
 * @param plan the plan
 */
public record ClonedPlan(KnownPlan of, PlanClone plan) {

  /** The memory of the group that it touches. */
  MemoryUse use() {
    return MemoryUse.of(plan, of.use());
  }

  /** Whether it is right because the other one was judged and found right. */
  boolean isJudged(List<@Nullable OpParam> params) {
    return of.isJudgedFor(plan, params);
  }

  /** Compiles it for ranks on their own; empty if it cannot share what the other is compiled to. */
  public Optional<CompiledPlan> compile(OperationQueues queues) {
    return of.compile(plan, queues);
  }
}
