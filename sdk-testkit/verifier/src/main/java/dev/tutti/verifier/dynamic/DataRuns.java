package dev.tutti.verifier.dynamic;

import dev.tutti.plan.work.Work;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.param.OpParam;
import dev.tutti.simulator.flow.FlatPlan;
import dev.tutti.verifier.data.Mismatch;
import dev.tutti.verifier.data.Reference;
import dev.tutti.verifier.data.TestData;
import dev.tutti.verifier.rule.Finding;
import dev.tutti.verifier.rule.Findings;
import dev.tutti.verifier.rule.Rule;
import dev.tutti.verifier.run.Caller;
import dev.tutti.verifier.run.GroupMemory;
import dev.tutti.verifier.run.PlanInterpreter;
import dev.tutti.verifier.run.StressRunner;
import dev.tutti.verifier.semantics.OperationSemantics;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Runs one plan on real data and compares the results: rules VAL-1 to VAL-4. Not thread-safe.
 *
 * <p>Every run has a different order, and every simulated run has different data. The caller of
 * each rank writes the input when the rank enters. It copies the result and overwrites both buffers
 * when the rank returns, while other ranks still run. If the executor promises equal bits,
 * floating-point reductions run several times on one input that makes them round, and the results
 * must have equal bits.
 *
 * <p>If rules SYN, MEM or SEM have findings, wrong results of a run are consequences of them and
 * are not reported again.
 */
public final class DataRuns {

  private static final int MAX_PRINTED = 4;
  private static final int MIN_ROUNDING_RUNS = 3;

  private final FlatPlan plan;
  private final List<@Nullable OpParam> params;
  private final DataOptions options;
  private final Findings findings;
  private final String manner;
  private final boolean isExplained;
  private int compared;

  /**
   * Prepares runs of a plan.
   *
   * @param params each rank's request, null for a rank that takes no part
   * @param findings the findings about the plan so far; receives further findings
   */
  public DataRuns(
      FlatPlan plan,
      List<? extends @Nullable OpParam> params,
      DataOptions options,
      Findings findings) {
    this.plan = plan;
    this.params = new ArrayList<>(params);
    this.options = options;
    this.findings = findings;
    this.manner = plan.plan().inPlace() ? " [in place]" : "";
    this.isExplained =
        findings.toList().stream()
            .map(finding -> finding.rule().family())
            .anyMatch(family -> List.of("SYN", "MEM", "SEM").contains(family));
  }

  /** A way to run the plan. */
  private interface Way {
    PlanInterpreter.Outcome run(long seed, GroupMemory memory, Caller caller);
  }

  /** Runs the plan; returns the number of runs that finished and were compared. */
  public int run() {
    Reference reference;
    try {
      reference = Reference.of(params);
    } catch (TuttiException e) {
      findings.add(Rule.of(e.code()), "the requests do not fit together: " + e.getMessage());
      return 0;
    }
    if (options.schedules() == 0 && options.stressRuns() == 0) {
      return 0;
    }
    PlanInterpreter interpreter = new PlanInterpreter(plan);
    GroupMemory memory = interpreter.allocate();
    CallerBuffers caller = new CallerBuffers(memory, plan.plan().inPlace());
    List<MemorySegment> firstInputs = inputs(memory, options.seed());
    // A plan that loses signals would only wait for its deadline on threads.
    int stressRuns = isExplained ? 0 : options.stressRuns();
    try (Work work = Work.begin("runs on data", options.schedules() + stressRuns + 1)) {
      for (int i = 0; i < options.schedules(); i++) {
        long seed = options.seed() + i;
        List<MemorySegment> inputs = i == 0 ? firstInputs : inputs(memory, seed);
        runOnce(reference, interpreter::run, memory, caller, seed, inputs, "seed " + seed);
        work.step();
      }
      StressRunner onThreads =
          new StressRunner(plan).withAtomicReductions(options.hasAtomicReductions());
      for (int i = 0; i < stressRuns; i++) {
        long seed = options.seed() + i;
        Way way = onThreads.withPlatformThreads(i % 2 == 1)::run;
        runOnce(reference, way, memory, caller, seed, firstInputs, "stress run " + i);
        work.step();
      }
      if (options.schedules() > 0) {
        runRounding(reference, interpreter, memory, caller);
      }
    }
    return compared;
  }

  /** Inputs that differ between seeds. */
  private List<MemorySegment> inputs(GroupMemory memory, long seed) {
    TestData data = TestData.of(seed);
    List<MemorySegment> inputs = CallerBuffers.copies(memory.inputs());
    for (int rank = 0; rank < params.size(); rank++) {
      OpParam param = params.get(rank);
      if (param != null) {
        (options.hasSpecials() ? data.withSpecials() : data).fillInput(param, inputs.get(rank));
      }
    }
    return inputs;
  }

  /** One run; true if it finished. */
  private boolean runOnce(
      Reference reference,
      Way way,
      GroupMemory memory,
      CallerBuffers caller,
      long seed,
      List<MemorySegment> inputs,
      String token) {
    caller.begin(inputs, seed);
    PlanInterpreter.Outcome outcome = way.run(seed, memory, caller);
    String where = " [" + token + "]" + manner;
    for (Finding finding : outcome.findings()) {
      // The static check is exact and names the cause; a run can only repeat its finding.
      if (!findings.has(finding.rule())) {
        findings.add(finding.rule(), finding.message() + where);
      }
    }
    if (!outcome.isComplete()) {
      return false;
    }
    compared++;
    if (!isExplained) {
      compareResults(reference, inputs, caller, where);
      compareUntouched(reference, caller, where);
    }
    return true;
  }

  private void compareResults(
      Reference reference, List<MemorySegment> inputs, CallerBuffers caller, String where) {
    List<MemorySegment> outputs = caller.outputsAfter();
    List<Mismatch> mismatches =
        options.isInRankOrder()
            ? reference.checkInRankOrder(inputs, outputs)
            : reference.check(inputs, outputs);
    if (!mismatches.isEmpty()) {
      findings.add(Rule.WRONG_VALUE, "value" + manner, text(mismatches) + where);
    }
  }

  /** The first mismatches, as text. */
  static String text(List<Mismatch> mismatches) {
    List<String> lines = new ArrayList<>();
    mismatches.stream().limit(MAX_PRINTED).forEach(mismatch -> lines.add(mismatch.toString()));
    return String.join("; ", lines) + (mismatches.size() > MAX_PRINTED ? "; …" : "");
  }

  /**
   * Checks that nothing has changed that must not: inputs that are not also outputs, outputs
   * without a result, and buffers after the call.
   */
  private void compareUntouched(Reference reference, CallerBuffers caller, String where) {
    boolean inPlace = plan.plan().inPlace();
    for (int rank = 0; rank < params.size(); rank++) {
      boolean isWritten = reference.writesOutput(rank);
      long shared = inPlace && isWritten ? caller.outputsAfter().get(rank).byteSize() : 0;
      long at = caller.changedInput(rank, shared);
      if (at >= 0) {
        findings.add(
            Rule.INPUT_CHANGED,
            "input of rank " + rank,
            "rank %d's input has changed at byte %d%s".formatted(rank, at, where));
      }
      at = isWritten || inPlace ? -1 : caller.changedOutput(rank);
      if (at >= 0) {
        findings.add(
            Rule.UNTOUCHABLE_CHANGED,
            "output of rank " + rank,
            "rank %d's output must not change, but it has changed at byte %d%s"
                .formatted(rank, at, where));
      }
      String late = caller.changedAfterEnd(rank);
      if (late != null) {
        findings.add(
            Rule.OUTSIDE_CALL,
            "late " + rank,
            "rank %d's %s was written after its call had returned%s".formatted(rank, late, where));
      }
    }
  }

  /** Runs one or several orders on one input that makes reductions round. */
  private void runRounding(
      Reference reference, PlanInterpreter interpreter, GroupMemory memory, CallerBuffers caller) {
    OpParam any = params.stream().filter(Objects::nonNull).findFirst().orElseThrow();
    DataType type = OperationSemantics.dataType(any);
    ReduceOp op = OperationSemantics.reduceOp(any);
    if (!RoundingData.exists(type, op)) {
      return;
    }
    List<MemorySegment> inputs = CallerBuffers.copies(memory.inputs());
    for (int rank = 0; rank < params.size(); rank++) {
      OpParam param = params.get(rank);
      if (param != null) {
        RoundingData.fill(
            inputs.get(rank).asSlice(0, param.inputBytes()), type, op, options.seed() * 31 + rank);
      }
    }
    BitEquality bits = new BitEquality(params, any, findings, manner);
    boolean isPromised = options.declared().satisfies(Determinism.SAME_RUNS);
    int runs = isPromised ? Math.max(MIN_ROUNDING_RUNS, options.schedules()) : 1;
    for (int i = 0; i < runs; i++) {
      long seed = options.seed() + i;
      String token = "seed " + seed;
      boolean isComplete =
          runOnce(reference, interpreter::run, memory, caller, seed, inputs, token);
      if (isComplete && !isExplained && isPromised) {
        bits.compareWithOtherRuns(caller.outputsAfter(), token);
        if (options.declared().satisfies(Determinism.SAME_RANKS)) {
          bits.compareRanks(caller.outputsAfter(), token);
        }
      }
    }
  }
}
