package dev.tutti.testkit;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.plan.GroupPlan;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Runs a plan on real memory, one action at a time, in a random legal order. Slow and simple; made
 * to find what depends on the order, and to be right. Immutable; each run is confined to its
 * caller.
 *
 * <p>Notifies have one bit, as on hardware: posting onto a set bit loses a signal and is a finding
 * (SYN-2), and so are a bit that is still set at the end (SYN-3) and a run that is stuck (SYN-1).
 */
public final class PlanInterpreter {

  private final FlatPlan plan;

  /**
   * Prepares a plan.
   *
   * @throws TuttiException with {@link ErrorCode#LINK_MISMATCH} or {@link ErrorCode#OUT_OF_BOUNDS}
   *     if the plan uses a notify or memory that is not there
   */
  public PlanInterpreter(GroupPlan plan) {
    this(FlatPlan.of(plan));
  }

  PlanInterpreter(FlatPlan plan) {
    this.plan = plan;
  }

  /**
   * What happened in one run.
   *
   * @param isComplete whether every action ran
   * @param findings what is wrong, empty if nothing is
   */
  public record Outcome(boolean isComplete, List<Finding> findings) {

    /** Takes an immutable copy. */
    public Outcome {
      findings = List.copyOf(findings);
    }
  }

  /** New memory of this plan's sizes. */
  public GroupMemory allocate() {
    return GroupMemory.allocate(plan);
  }

  /**
   * The caller's inputs and outputs, and new memory of all other kinds.
   *
   * @param inputs one segment per rank, at least as large as its input
   * @param outputs one segment per rank, at least as large as its output; in place, the same as the
   *     inputs
   */
  public GroupMemory bind(List<MemorySegment> inputs, List<MemorySegment> outputs) {
    return GroupMemory.bind(plan, inputs, outputs);
  }

  /**
   * Runs the plan once.
   *
   * @param seed chooses the order; equal seeds give equal runs
   * @param memory of this plan, with its inputs filled; see {@link GroupMemory#poison}
   */
  public Outcome run(long seed, GroupMemory memory) {
    return new InterpreterRun(plan, memory, seed).run();
  }
}
