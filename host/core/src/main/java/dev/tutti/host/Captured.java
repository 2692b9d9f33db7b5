package dev.tutti.host;

import dev.tutti.host.watch.Counters;
import dev.tutti.host.watch.RunFacts;
import dev.tutti.plugin.live.Generation;
import dev.tutti.sdk.Arguments;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Several operations of a group that were captured, see {@link Group#capture(Runnable)}, and run as
 * one. The results are those of running them one after another, to the bit; but a rank that is
 * ahead goes on with the next operation, as far as nobody can tell. A run allocates nothing and
 * takes part in the work on the calling thread.
 *
 * <p>A group runs one request or capture at a time. Not thread-safe: one thread at a time. Buffers
 * are owned by the caller and must outlive the capture or its last run; what peers cannot reach is
 * copied before each run and back after it, but for arrays that no operation reduces.
 *
 * <p>When the plugin of one of its plans is replaced or removed, the next start takes the plans
 * that new requests would get.
 */
public final class Captured extends RunnableOperation {

  private final Captures captures;
  private volatile CapturedPlan plan;

  Captured(GroupCore core, Captures captures, long deadlineNanos, CapturedPlan plan) {
    super(core, deadlineNanos, plan.binding());
    this.captures = captures;
    this.plan = plan;
  }

  @Override
  void record() {
    plan.calls().forEach(call -> Capture.record(core().slot(), call));
  }

  @Override
  void beforeRun() {
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
  MemorySegment.Scope[] scopes() {
    return plan.memory().scopes();
  }

  @Override
  void afterRun() {
    plan.memory().afterRun();
  }

  /** The run was one of each plan, and which of them failed cannot be told. */
  @Override
  void report(TuttiException failure) {
    plan.generations().forEach(each -> core().planner().runFailed(each, failure));
    plan.countFailure(core().counters());
  }

  @Override
  void ran(long ended) {
    plan.ran(ended);
  }

  @Override
  void count(Counters into, long ended, long inNanos) {
    plan.count(into, ended, inNanos);
  }

  @Override
  RunFacts makeFacts() {
    return plan.facts(core().number(), toString());
  }

  @Override
  void release() {
    captures.closed(this);
    plan.close();
  }

  /**
   * Replaces a buffer wherever the captured operations have it or a part of it, between runs.
   * Native memory and arrays can replace each other.
   *
   * @param old a buffer of a captured operation, or a segment that holds some of them
   * @param replacement as large; like the old one it must not overlap other buffers, but for parts
   *     of it
   * @throws TuttiException with {@link ErrorCode#INVALID_STATE} during a run or after the end;
   *     {@link ErrorCode#INVALID_ARGUMENT} if no operation has the old buffer, or if the operations
   *     would hang together in another way; as {@link RequestBuilder#build} for the buffers
   */
  public void rebind(MemorySegment old, MemorySegment replacement) {
    Arguments.require(old, "old");
    Arguments.require(replacement, "replacement");
    requireIdle("rebind");
    replace(captures.rebound(plan, old, replacement));
  }

  /** The captured operations in their order. */
  public List<CollectiveCall> calls() {
    return plan.calls().stream().map(call -> call.planned().key().call()).toList();
  }

  /**
   * What became of the operations, in lines for people: their algorithms, the order between them,
   * the signals that were dropped, and how their buffers are reached.
   */
  public String explain() {
    return plan.explain();
  }

  @Override
  public boolean isStaged() {
    return plan.memory().isStaged();
  }

  @Override
  boolean uses(Generation generation) {
    return plan.uses(generation);
  }

  @Override
  String doing() {
    return "running " + title();
  }

  @Override
  String title() {
    return "the " + this;
  }

  @Override
  String successor() {
    return "capture again";
  }

  @Override
  public String toString() {
    int count = plan.calls().size();
    return "capture of " + count + (count == 1 ? " operation" : " operations");
  }
}
