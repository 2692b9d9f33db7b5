package dev.tutti.host.planning;

import dev.tutti.engine.CompiledPlan;
import dev.tutti.engine.queue.OperationQueues;
import dev.tutti.plan.PlanClone;
import java.util.Optional;

/**
 * A plan that was made from another one of its structure.
 *
 * @param of the other one
 * @param plan the plan
 */
public record ClonedPlan(KnownPlan of, PlanClone plan) {

  /** Compiles it for ranks on their own; empty if it cannot share what the other is compiled to. */
  public Optional<CompiledPlan> compile(OperationQueues queues) {
    return of.compile(plan, queues);
  }
}
