package dev.tutti.verifier.planning;

import dev.tutti.plan.GroupPlan;
import dev.tutti.plan.GroupRecording;
import dev.tutti.plan.PlanRecorder;
import dev.tutti.simulator.flow.Sources;
import dev.tutti.verifier.rule.Findings;
import java.util.List;
import java.util.function.Supplier;

/**
 * Asks all ranks of an operation whether they take it, and for their plans, under limits and twice:
 * rules PUR-1, PUR-2 and CAP-1 to CAP-4, and those that a recording can break. Thread-safe. Plans
 * are recorded without source lines, which is many times faster; {@link #sources} finds those that
 * are asked for.
 */
public final class Planner {

  private final PlanningGuard guard;
  private final PlanRecorder recorder;
  private final int workers;

  /**
   * A planner.
   *
   * @param guard runs the executors' code, and limits the actions of a rank
   * @param recorder records, always without source lines
   * @param workers the number of threads that record and compare, 1 or more
   */
  public Planner(PlanningGuard guard, PlanRecorder recorder, int workers) {
    this.guard = guard;
    this.recorder =
        recorder
            .withSources(false)
            .withMaxActions(guard.limits().maxActions())
            .withWorkers(workers);
    this.workers = workers;
  }

  /**
   * Asks for a plan.
   *
   * @param subject what the plan is for; its name
   * @param tasks what each rank is asked, in rank order
   * @param mayRefuse whether a refusal by all ranks is no finding
   * @param findings gets everything that is wrong
   */
  public Planned plan(String subject, List<RankTask> tasks, boolean mayRefuse, Findings findings) {
    return plan(subject, tasks, () -> Declared.NOTHING, mayRefuse, findings);
  }

  /**
   * The same.
   *
   * @param declared asks the executors what they say about the operation
   */
  public Planned plan(
      String subject,
      List<RankTask> tasks,
      Supplier<Declared> declared,
      boolean mayRefuse,
      Findings findings) {
    Inquiry inquiry = new Inquiry(subject, tasks, declared, mayRefuse, recorder, workers);
    Planned planned = guard.run(inquiry, findings::add);
    inquiry.findings().forEach(findings::add);
    return planned == null ? Planned.FAILED : planned;
  }

  /**
   * Knows the source lines of a plan that was made here; asks the executors for them, under the
   * limits of planning, and keeps what they answer.
   */
  public Sources sources(Planned planned) {
    GroupPlan plan = planned.plan();
    GroupRecording recording = planned.recording();
    return plan == null || recording == null
        ? Sources.OF_PLAN
        : new RecordedLines(plan, recording, guard);
  }
}
