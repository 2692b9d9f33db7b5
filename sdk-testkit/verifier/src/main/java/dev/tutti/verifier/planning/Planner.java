package dev.tutti.verifier.planning;

import dev.tutti.plan.GroupPlan;
import dev.tutti.plan.GroupRecording;
import dev.tutti.plan.PlanRecorder;
import dev.tutti.simulator.flow.Sources;
import dev.tutti.verifier.rule.Findings;
import java.util.List;
import java.util.function.Supplier;

/**
 * Asks all ranks whether they support an operation, and for their plans. Asks everything twice,
 * under limits. Checks rules PUR-1, PUR-2 and CAP-1 to CAP-4, and those that a recording can break.
 * Records plans without source lines, which is many times faster; {@link #sources} finds single
 * lines later. Thread-safe.
 */
public final class Planner {

  private final PlanningGuard guard;
  private final PlanRecorder recorder;
  private final int workers;

  /**
   * A planner.
   *
   * @param guard runs the executors' code, and sets the limit on a rank's actions
   * @param recorder records the plans; used without source lines
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
   * @param subject the name of the operation in the plan and in messages
   * @param tasks the questions to each rank, in rank order
   * @param mayRefuse whether all ranks may refuse the request without a finding
   * @param findings receives all findings
   */
  public Planned plan(String subject, List<RankTask> tasks, boolean mayRefuse, Findings findings) {
    return plan(subject, tasks, () -> Declared.NOTHING, mayRefuse, findings);
  }

  /**
   * Asks for a plan and for the executors' declarations.
   *
   * @param declared asks the executors for their declarations
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
   * The source lines of a plan that this planner made. They come from recordings that are made when
   * a line is needed, under the limits of planning, and are then kept.
   */
  public Sources sources(Planned planned) {
    GroupPlan plan = planned.plan();
    GroupRecording recording = planned.recording();
    return plan == null || recording == null
        ? Sources.OF_PLAN
        : new RecordedLines(plan, recording, guard);
  }
}
