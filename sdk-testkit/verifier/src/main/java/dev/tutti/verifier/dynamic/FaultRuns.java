package dev.tutti.verifier.dynamic;

import dev.tutti.plan.ActionRef;
import dev.tutti.plan.work.Work;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.param.OpParam;
import dev.tutti.simulator.flow.FlatPlan;
import dev.tutti.simulator.flow.FlatStream;
import dev.tutti.verifier.data.Mismatch;
import dev.tutti.verifier.data.Reference;
import dev.tutti.verifier.data.TestData;
import dev.tutti.verifier.rule.Finding;
import dev.tutti.verifier.rule.Findings;
import dev.tutti.verifier.rule.Rule;
import dev.tutti.verifier.run.Fault;
import dev.tutti.verifier.run.GroupMemory;
import dev.tutti.verifier.run.PlanInterpreter;
import dev.tutti.verifier.run.Point;
import dev.tutti.verifier.run.RankEnd;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Runs one plan several times, each time with one fault, and judges the outcome: rules FLT-1 to
 * FLT-3. Not thread-safe.
 *
 * <p>An algorithm must keep these promises to its callers under any fault:
 *
 * <ul>
 *   <li>FLT-1: every live rank returns, or fails with a diagnosis. A call that has returned leaves
 *       no stream behind that waits for ever.
 *   <li>FLT-2: a rank that reports success has the right result, and keeps it. A signal that no
 *       stream sent can mislead every algorithm on one-bit notifies. After such a fault, it is
 *       enough that the run reports a failure, or a lost or left-over notify.
 *   <li>FLT-3: the buffers of a rank do not change after its call has failed.
 * </ul>
 *
 * <p>A plan that is clean under the rules SYN and MEM keeps these promises; {@code docs/faults.md}
 * explains why. The runs test them on the plan itself, and show the consequences of a broken
 * promise.
 */
public final class FaultRuns {

  private static final int TRIES = 8;

  private final FlatPlan plan;
  private final List<FlatStream> streams;
  private final long seed;
  private final Findings findings;
  private final String manner;
  private final PlanInterpreter interpreter;
  private final GroupMemory memory;
  private final CallerBuffers caller;
  private final long deadline;
  private final List<MemorySegment> inputs;
  private final @Nullable Reference reference;

  /** The expected output of each rank, up to the order of operands. */
  private final List<MemorySegment> expected;

  /**
   * Prepares runs of a plan.
   *
   * @param params each rank's request, null for a rank that takes no part
   * @param seed chooses data, orders and the sample of faults
   * @param findings receives the findings
   */
  public FaultRuns(
      FlatPlan plan, List<? extends @Nullable OpParam> params, long seed, Findings findings) {
    this.plan = plan;
    this.streams = plan.streams();
    this.seed = seed;
    this.findings = findings;
    this.manner = plan.plan().inPlace() ? " [in place]" : "";
    this.interpreter = new PlanInterpreter(plan);
    this.memory = interpreter.allocate();
    this.caller = new CallerBuffers(memory, plan.plan().inPlace());
    this.deadline = 2 * eventCount() + 16;
    this.inputs = CallerBuffers.copies(memory.inputs());
    this.expected = CallerBuffers.copies(memory.outputs());
    this.reference = reference(params);
  }

  private long eventCount() {
    return streams.stream().mapToLong(FlatStream::size).sum();
  }

  private @Nullable Reference reference(List<? extends @Nullable OpParam> params) {
    try {
      Reference made = Reference.of(params);
      for (int rank = 0; rank < params.size(); rank++) {
        OpParam param = params.get(rank);
        if (param != null) {
          TestData.of(seed).fillInput(param, inputs.get(rank));
        }
      }
      for (int rank = 0; rank < params.size(); rank++) {
        made.compute(rank, inputs, expected.get(rank));
      }
      return made;
    } catch (TuttiException e) {
      return null;
    }
  }

  /**
   * The deadline of the runs in steps: more than twice the number of the plan's events, so that a
   * wait exceeds it only after a fault.
   */
  public long deadlineSteps() {
    return deadline;
  }

  /**
   * Runs the plan with faults, if it is right without faults.
   *
   * @param most the most faults to try; if there are more, the seed chooses a sample
   * @throws TuttiException with {@link ErrorCode#INVALID_ARGUMENT} if it is negative
   */
  public FaultSummary run(int most) {
    return run(most, false);
  }

  /** Runs a plan with faults that is known to be right without them. */
  public FaultSummary runRight(int most) {
    return run(most, true);
  }

  private FaultSummary run(int most, boolean isRight) {
    if (most < 0) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT, "the number of faults must be 0 or more. Actual: %d", most);
    }
    FaultList list = new FaultList(plan, eventCount(), 4 * deadline);
    if (most == 0 || reference == null || !(isRight || isRightWithoutFaults(reference))) {
      return new FaultSummary(list.size(), 0);
    }
    List<Fault> faults = list.sample(most, seed);
    try (Work work = Work.begin("runs with faults", faults.size())) {
      for (int i = 0; i < faults.size(); i++) {
        judge(reference, faults.get(i), seed + i);
        work.step();
      }
    }
    return new FaultSummary(list.size(), faults.size());
  }

  /**
   * Whether the plan is right without faults; otherwise runs with faults prove nothing. The plan
   * gets the most favorable order: no rank returns before the others have done all they can.
   */
  private boolean isRightWithoutFaults(Reference made) {
    List<Fault> lastReturns = new ArrayList<>();
    for (int rank = 0; rank < plan.plan().rankSize(); rank++) {
      Point end = new Point(rank, 0, interpreter.eventCount(rank, 0) - 1);
      lastReturns.add(new Fault.Delay(end, eventCount()));
    }
    for (int i = 0; i < TRIES; i++) {
      caller.begin(inputs, seed + i);
      PlanInterpreter.Outcome outcome =
          interpreter.run(seed + i, memory, caller, lastReturns, deadline);
      boolean isRight = outcome.isComplete();
      for (RankEnd end : outcome.ends()) {
        isRight &= end.isCompleted() && wrongResult(made, end.rank()) == null;
      }
      if (isRight) {
        return true;
      }
    }
    return false;
  }

  private void judge(Reference made, Fault fault, long runSeed) {
    caller.begin(inputs, runSeed);
    PlanInterpreter.Outcome outcome =
        interpreter.run(runSeed, memory, caller, List.of(fault), deadline);
    boolean isStraySignal = fault instanceof Fault.Duplicate || fault instanceof Fault.Raise;
    Map<Integer, String> wrong = new LinkedHashMap<>();
    for (RankEnd end : outcome.ends()) {
      int rank = end.rank();
      judgeWaits(fault, end, runSeed);
      if (caller.hasFailed(rank)) {
        String late = caller.changedAfterEnd(rank);
        if (late != null) {
          String text = "rank " + rank + " was told of the failure, but later its " + late;
          report(Rule.TOUCHED_AFTER_FAILURE, fault, runSeed, text + " has changed", null);
        }
      } else if (caller.hasReturned(rank) && !(isStraySignal && outcome.isReported())) {
        String text = wrongResult(made, rank);
        if (text != null) {
          wrong.put(rank, text);
        }
      }
    }
    if (!wrong.isEmpty()) {
      reportWrong(made, fault, wrong, runSeed);
    }
  }

  /**
   * Reports wrong results that the fault has caused: those that are right in the same order of
   * events without the fault.
   */
  private void reportWrong(Reference made, Fault fault, Map<Integer, String> wrong, long runSeed) {
    caller.begin(inputs, runSeed);
    interpreter.run(runSeed, memory, caller, List.of(), deadline);
    wrong.forEach(
        (rank, what) -> {
          if (caller.hasReturned(rank) && wrongResult(made, rank) == null) {
            String text = "rank " + rank + " reports success, but " + what;
            report(Rule.SILENT_CORRUPTION, fault, runSeed, text, null);
          }
        });
  }

  private void judgeWaits(Fault fault, RankEnd end, long runSeed) {
    ActionRef stuckAt = end.stuckAt();
    if (stuckAt != null) {
      String text =
          end.isCompleted()
              ? " has returned with success, but leaves " + stuckAt + " waiting for ever"
              : " hangs at " + stuckAt;
      report(Rule.NO_DIAGNOSIS, fault, runSeed, "rank " + end.rank() + text, stuckAt);
    }
  }

  /** The problem with the buffers of a rank that has returned, in words; or null. */
  private @Nullable String wrongResult(Reference made, int rank) {
    String late = caller.changedAfterEnd(rank);
    if (late != null) {
      return "its " + late + " was written after the call had returned";
    }
    if (!made.writesOutput(rank)) {
      long at = plan.plan().inPlace() ? caller.changedInput(rank, 0) : caller.changedOutput(rank);
      return at < 0 ? null : "its output must not change, but it differs at byte " + at;
    }
    MemorySegment output = caller.outputsAfter().get(rank);
    if (CallerBuffers.mismatch(expected.get(rank), output, 0) < 0) {
      return null;
    }
    List<MemorySegment> outputs = new ArrayList<>(expected);
    outputs.set(rank, output);
    List<Mismatch> mismatches = made.check(inputs, outputs);
    return mismatches.isEmpty() ? null : DataRuns.text(mismatches);
  }

  private void report(
      Rule rule, Fault fault, long runSeed, String what, @Nullable ActionRef other) {
    Point at = fault.at();
    FlatStream code = streams.get(plan.mainStream(at.rank()) + at.stream());
    findings.add(
        rule,
        fault.getClass().getSimpleName() + code.origin(at.event()) + manner,
        () -> {
          List<ActionRef> actions = new ArrayList<>();
          actions.add(code.ref(at.event()));
          if (other != null) {
            actions.add(other);
          }
          String token = " [seed " + runSeed + ", " + fault + "]" + manner;
          String text = cause(fault, code.describe(at.event())) + ", " + what + token;
          return new Finding(rule, text, actions, "");
        });
  }

  private static String cause(Fault fault, String place) {
    return switch (fault) {
      case Fault.Delay delay -> "after " + delay.steps() + " steps of delay before " + place;
      case Fault.Kill _ -> "after rank " + fault.at().rank() + " died before " + place;
      case Fault.Drop _ -> "after the signal of " + place + " was dropped";
      case Fault.Duplicate _ -> "after the signal of " + place + " arrived twice";
      case Fault.Raise _ -> "after the notify of " + place + " was set without a post";
      case Fault.Fill fill -> "after " + fill.mem() + " was overwritten just before " + place;
    };
  }
}
