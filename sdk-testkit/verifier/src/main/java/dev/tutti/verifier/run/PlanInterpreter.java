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
 * and finds errors that depend on the order. Immutable; each run is confined to its caller, and
 * determined by the plan, the seed and the faults.
 *
 * <p>Notifies have one bit, as on hardware: posting onto a set bit loses a signal and is a finding
 * (SYN-2), and so are a bit that is still set at the end (SYN-3) and a run that is stuck (SYN-1).
 *
 * <p>Time is counted in steps: one step for each event that runs; when every stream waits, time
 * jumps to the next event. With a deadline, the first wait that takes longer or the first lost
 * signal poisons the group: every rank that is inside its call fails with one diagnosis, and the
 * remaining actions of its streams are skipped.
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

  /** Prepares a plan that is flattened already. */
  public PlanInterpreter(FlatPlan plan) {
    this.plan = plan;
  }

  /**
   * The outcome of one run.
   *
   * @param isComplete whether every action ran
   * @param findings what is wrong, empty if nothing is
   * @param ends how the run ended for each rank, in rank order
   * @param steps when the last event ran
   */
  public record Outcome(
      boolean isComplete, List<Finding> findings, List<RankEnd> ends, long steps) {

    /** Takes immutable copies. */
    public Outcome {
      findings = List.copyOf(findings);
      ends = List.copyOf(ends);
    }

    /** Whether the call of any rank has failed. */
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
   * @param memory of this plan, with its inputs filled; see {@link GroupMemory#poison}
   */
  public Outcome run(long seed, GroupMemory memory) {
    return run(seed, memory, Caller.IDLE);
  }

  /**
   * Runs the plan once, between actions of the program around it.
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
   *     the plan, or needs a notify and there is none, or the deadline is not positive
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
   * What happens at a point.
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
