package dev.tutti.testkit;

import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.param.OpParam;
import dev.tutti.sdk.plan.GroupPlan;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Runs one plan on real data and compares the results. */
final class DataCheck {

  private static final int MAX_PRINTED = 4;

  private final GroupPlan plan;
  private final List<@Nullable OpParam> params;
  private final Findings findings;
  private final String manner;

  DataCheck(GroupPlan plan, List<@Nullable OpParam> params, Findings findings, String manner) {
    this.plan = plan;
    this.params = params;
    this.findings = findings;
    this.manner = manner;
  }

  /** Runs with several orders and data; gives the number of runs whose results were compared. */
  int run(int schedules, long seed, boolean hasSpecials) {
    if (schedules == 0) {
      return 0;
    }
    Reference reference;
    try {
      reference = Reference.of(params);
    } catch (TuttiException e) {
      findings.add(Rules.of(e.code()), "the requests do not fit together: " + e.getMessage());
      return 0;
    }
    PlanInterpreter interpreter = new PlanInterpreter(plan);
    GroupMemory memory = interpreter.allocate();
    int compared = 0;
    for (int i = 0; i < schedules; i++) {
      long runSeed = seed + i;
      TestData data = TestData.of(runSeed);
      memory.poison(runSeed);
      fill(hasSpecials ? data.withSpecials() : data, memory);
      List<MemorySegment> inputs = copies(memory.inputs());
      List<MemorySegment> untouched = copies(memory.outputs());
      PlanInterpreter.Outcome outcome = interpreter.run(runSeed, memory);
      String where = " [seed " + runSeed + "]" + manner;
      for (Finding finding : outcome.findings()) {
        // The static judgement is exact and names the cause; a run can only repeat it.
        if (!findings.has(finding.rule())) {
          findings.add(finding.rule(), finding.message() + where);
        }
      }
      if (outcome.isComplete()) {
        compareResults(reference, inputs, memory, where);
        compareUntouched(reference, inputs, untouched, memory, where);
        compared++;
      }
    }
    return compared;
  }

  private void fill(TestData data, GroupMemory memory) {
    for (int rank = 0; rank < params.size(); rank++) {
      OpParam param = params.get(rank);
      if (param != null) {
        data.fillInput(param, memory.input(rank));
      }
    }
  }

  private static List<MemorySegment> copies(List<MemorySegment> segments) {
    List<MemorySegment> copies = new ArrayList<>();
    for (MemorySegment segment : segments) {
      copies.add(
          segment.byteSize() == 0
              ? MemorySegment.NULL
              : MemorySegment.ofArray(new byte[Math.toIntExact(segment.byteSize())])
                  .copyFrom(segment));
    }
    return copies;
  }

  private void compareResults(
      Reference reference, List<MemorySegment> inputs, GroupMemory memory, String where) {
    List<Mismatch> mismatches = reference.check(inputs, memory.outputs());
    if (mismatches.isEmpty()) {
      return;
    }
    List<String> lines = new ArrayList<>();
    mismatches.stream().limit(MAX_PRINTED).forEach(mismatch -> lines.add(mismatch.toString()));
    findings.add(
        Rules.WRONG_VALUE,
        "value" + manner,
        String.join("; ", lines) + (mismatches.size() > MAX_PRINTED ? "; …" : "") + where);
  }

  /** Inputs must stay as they are unless they are the output too, and unwritten outputs as well. */
  private void compareUntouched(
      Reference reference,
      List<MemorySegment> inputs,
      List<MemorySegment> outputs,
      GroupMemory memory,
      String where) {
    for (int rank = 0; rank < params.size(); rank++) {
      boolean isWritten = reference.writesOutput(rank);
      long shared = plan.inPlace() && isWritten ? memory.output(rank).byteSize() : 0;
      long at = mismatchFrom(inputs.get(rank), memory.input(rank), shared);
      if (at >= 0) {
        findings.add(
            Rules.INPUT_CHANGED,
            "input of rank " + rank,
            "rank %d's input has been changed at byte %d%s".formatted(rank, at, where));
      }
      if (!isWritten && !plan.inPlace()) {
        at = mismatchFrom(outputs.get(rank), memory.output(rank), 0);
        if (at >= 0) {
          findings.add(
              Rules.UNTOUCHABLE_CHANGED,
              "output of rank " + rank,
              "rank %d's output must stay as it is, and has been changed at byte %d%s"
                  .formatted(rank, at, where));
        }
      }
    }
  }

  private static long mismatchFrom(MemorySegment a, MemorySegment b, long from) {
    if (from >= a.byteSize()) {
      return -1;
    }
    long at = MemorySegment.mismatch(a, from, a.byteSize(), b, from, a.byteSize());
    return at < 0 ? -1 : from + at;
  }
}
