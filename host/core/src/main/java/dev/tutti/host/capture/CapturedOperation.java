package dev.tutti.host.capture;

import dev.tutti.host.call.CollectiveCall;
import dev.tutti.host.group.GroupCore;
import dev.tutti.host.group.Recording;
import dev.tutti.host.group.RunnableOperation;
import dev.tutti.host.status.RunFacts;
import dev.tutti.host.watch.Counters;
import dev.tutti.plugin.live.Generation;
import dev.tutti.sdk.TuttiException;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** Several operations of a group as one, bound to their memory, which a capture runs. */
public final class CapturedOperation extends RunnableOperation implements CapturedRuns {

  private final Captures captures;
  private volatile CapturedPlan plan;

  CapturedOperation(GroupCore core, Captures captures, long deadlineNanos, CapturedPlan plan) {
    super(core, deadlineNanos, plan.binding());
    this.captures = captures;
    this.plan = plan;
  }

  @Override
  protected void record() {
    plan.calls().forEach(call -> Recording.record(core().slot(), call));
  }

  @Override
  protected void beforeRun() {
    if (plan.isRetired()) {
      replace(captures.planAgain(plan));
    }
    plan.memory().beforeRun();
  }

  private void replace(CapturedPlan fresh) {
    CapturedPlan old = plan;
    countRuns();
    plan = fresh;
    use(fresh.binding());
    old.close();
  }

  @Override
  protected MemorySegment.Scope[] scopes() {
    return plan.memory().scopes();
  }

  @Override
  protected void afterRun() {
    plan.memory().afterRun();
  }

  /** The failure counts for every plan, because it is not known which plan failed. */
  @Override
  protected void report(TuttiException failure) {
    plan.generations().forEach(each -> core().planner().runFailed(each, failure));
    plan.countFailure(core().counters());
  }

  @Override
  protected void ran(long ended) {
    plan.ran(ended);
  }

  @Override
  protected void count(Counters into, long ended, long inNanos) {
    plan.count(into, ended, inNanos);
  }

  @Override
  protected RunFacts makeFacts() {
    return plan.facts();
  }

  @Override
  protected void release() {
    captures.closed(this);
    plan.close();
  }

  @Override
  public void rebind(MemorySegment old, MemorySegment replacement) {
    requireIdle("rebind");
    replace(captures.rebound(plan, old, replacement));
  }

  @Override
  public List<CollectiveCall> calls() {
    return plan.calls().stream().map(call -> call.planned().key().call()).toList();
  }

  @Override
  public String explain() {
    return plan.explain();
  }

  @Override
  public boolean isStaged() {
    return plan.memory().isStaged();
  }

  @Override
  public boolean uses(Generation generation) {
    return plan.generations().contains(generation);
  }

  @Override
  public String doing() {
    return "running " + title();
  }

  @Override
  protected String title() {
    return "the " + this;
  }

  @Override
  protected String successor() {
    return "capture again";
  }

  @Override
  public String toString() {
    return plan.toString();
  }
}
