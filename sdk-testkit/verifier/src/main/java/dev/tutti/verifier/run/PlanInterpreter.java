package dev.tutti.verifier.run;

import dev.tutti.plan.ActionRef;
import dev.tutti.plan.GroupPlan;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import dev.tutti.simulator.flow.FlatPlan;
import dev.tutti.simulator.flow.FlatStream;
import dev.tutti.verifier.rule.Finding;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Runs a plan on real memory, one action at a time, in a random legal order. It is slow and simple,
 * and finds errors that depend on the order. The plan, the seed and the faults determine a run.
 * Immutable; each run is confined to its calling thread.
 *
 * <p>Notifies have one bit, as on hardware. A post to a set bit loses a signal and is a finding
 * (SYN-2). A bit that is still set at the end is a finding (SYN-3), and so is a stuck run (SYN-1).
 *
 * <p>Time is counted in steps: one step for each event that runs. When no stream can run, time
 * jumps to the next timer. With a deadline, the first wait that exceeds it, or the first lost
 * signal, makes the group fail: every rank that is inside its call fails with the same diagnosis,
 * and its streams skip their remaining actions.
 */
public final class PlanInterpreter {

  private final FlatPlan plan;

  /**
   * Prepares a plan.
   *
   * @throws TuttiException with {@link ErrorCode#LINK_MISMATCH} or {@link ErrorCode#OUT_OF_BOUNDS}
   *     if the plan uses a notify or memory that does not exist
   */
  public PlanInterpreter(GroupPlan plan) {
    this(FlatPlan.of(plan));
  }

  /** Prepares a flattened plan. */
  public PlanInterpreter(FlatPlan plan) {
    this.plan = plan;
  }

  /**
   * The outcome of one run.
   *
   * @param isComplete whether every action ran
   * @param findings the findings; empty if there are none
   * @param ends how the run ended for each rank, in rank order
   * @param steps the step at which the last event ran
   */
  public record Outcome(
      boolean isComplete, List<Finding> findings, List<RankEnd> ends, long steps) {

    /** Takes immutable copies. */
    public Outcome {
      findings = List.copyOf(findings);
      ends = List.copyOf(ends);
    }

    /** Whether the run reports a problem: a finding, or the failed call of a rank. */
    public boolean isReported() {
      return !findings.isEmpty()
          || ends.stream().anyMatch(end -> end.state() == RankEnd.State.FAILED);
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
   * @param memory memory of this plan, with its inputs filled; see {@link GroupMemory#poison}
   */
  public Outcome run(long seed, GroupMemory memory) {
    return run(seed, memory, Caller.IDLE);
  }

  /**
   * Runs the plan once, and calls the program around it.
   *
   * @param caller called when ranks enter and return
   */
  public Outcome run(long seed, GroupMemory memory, Caller caller) {
    return run(seed, memory, caller, List.of(), Long.MAX_VALUE);
  }

  /**
   * Runs the plan once with faults.
   *
   * @param faults the faults; those at the same event apply in the order delay, kill, fill, raise,
   *     and then, if it is a post, duplicate, drop
   * @param deadlineSteps the longest time any stream of a rank may wait while the rank is inside
   *     its call; {@link Long#MAX_VALUE} for no deadline
   * @throws TuttiException with {@link ErrorCode#INVALID_ARGUMENT} if a fault is not at an event of
   *     the plan, if it needs a notify but its event has none, or if the deadline is not positive
   */
  public Outcome run(
      long seed,
      GroupMemory memory,
      Caller caller,
      List<? extends Fault> faults,
      long deadlineSteps) {
    if (deadlineSteps <= 0) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT,
          "a deadline must be 1 step or more. Actual: %d",
          deadlineSteps);
    }
    return new InterpreterRun(plan, memory, seed, caller, faults, deadlineSteps).run();
  }

  /** The number of a rank's streams that have events; 1 or more. */
  public int streamCount(int rank) {
    int next = plan.mainStream(rank) + 1;
    while (next < plan.streams().size() && plan.streams().get(next).rank() == rank) {
      next++;
    }
    return next - plan.mainStream(rank);
  }

  /** The number of events of a rank's stream; see {@link Point}. */
  public int eventCount(int rank, int stream) {
    return stream(new Point(rank, stream, 0)).size();
  }

  /**
   * The action at a point.
   *
   * @throws TuttiException with {@link ErrorCode#INVALID_ARGUMENT} if the plan has no such event
   */
  public ActionRef at(Point point) {
    return stream(point).ref(point.event());
  }

  private FlatStream stream(Point point) {
    return plan.streams().get(FaultTable.stream(plan, point));
  }
}
