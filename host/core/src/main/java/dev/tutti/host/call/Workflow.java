package dev.tutti.host.call;

import dev.tutti.sdk.Arguments;
import dev.tutti.sdk.WorkflowMode;

/**
 * How a request reaches the callers' buffers, the same for the whole group.
 *
 * @param mode GRAPH if peers use the buffers directly; OP_BASE if every rank copies its own buffers
 *     through the group's staging buffers, slice by slice
 * @param reason why, in words
 */
public record Workflow(WorkflowMode mode, String reason) {
  /** Checks that nothing is null. */
  public Workflow {
    Arguments.require(mode, "mode");
    Arguments.require(reason, "reason");
  }
}
