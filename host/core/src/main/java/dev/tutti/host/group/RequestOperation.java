package dev.tutti.host.group;

import dev.tutti.engine.trace.RunTrace;
import dev.tutti.host.buffers.BoundBuffers;
import dev.tutti.host.buffers.WorkflowChoice;
import dev.tutti.host.call.CallOptions;
import dev.tutti.host.call.CollectiveCall;
import dev.tutti.host.call.Workflow;
import dev.tutti.host.planning.ExpectedTrace;
import dev.tutti.host.planning.SelectedPlan;
import dev.tutti.host.status.RunFacts;
import dev.tutti.host.watch.Counters;
import dev.tutti.plugin.live.Generation;
import dev.tutti.sdk.TuttiException;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** One operation of a group with its plan and its bound buffers, which a request runs. */
public final class RequestOperation extends RunnableOperation {

  private final GroupBindings bindings;
  private volatile SelectedPlan planned;
  private final CallOptions options;
  private BoundBuffers bound;

  RequestOperation(
      GroupCore core,
      GroupBindings bindings,
      SelectedPlan planned,
      CallOptions options,
      long deadlineNanos,
      BoundBuffers bound) {
    super(core, deadlineNanos, bound.binding());
    this.bindings = bindings;
    this.planned = planned;
    this.options = options;
    this.bound = bound;
  }

  @Override
  protected void record() {
    Recording.record(core().slot(), recorded());
  }

  /** The call that a capture records instead of running this operation. */
  public RecordedCall recorded() {
    return new RecordedCall(planned, options, bound.buffers());
  }

  @Override
  protected void beforeRun() {
    if (planned.generation().isRetired()) {
      planAgain();
    }
    bound.beforeRun();
  }

  /** Switches to the plan that a new request would get now; keeps the old plan if there is none. */
  private void planAgain() {
    SelectedPlan fresh = bindings.planAgain(planned);
    BoundBuffers rebound = bindings.bindAgain(bound, fresh);
    countRuns();
    bound.close();
    planned = fresh;
    bound = rebound;
    use(rebound.binding());
  }

  @Override
  protected MemorySegment.Scope[] scopes() {
    return bound.buffers().scopes();
  }

  @Override
  protected void afterRun() {
    bound.afterRun();
  }

  @Override
  protected void report(TuttiException failure) {
    core().planner().runFailed(planned.generation(), failure);
    planned.countFailure(core().counters());
  }

  @Override
  protected void ran(long ended) {
    planned.generation().ran(ended);
  }

  @Override
  protected void count(Counters into, long ended, long inNanos) {
    planned.count(into, ended, inNanos);
  }

  @Override
  protected RunFacts makeFacts() {
    return planned.facts(core().number());
  }

  @Override
  protected void release() {
    bindings.closed(this);
    bound.close();
  }

  @Override
  public boolean uses(Generation generation) {
    return planned.generation() == generation;
  }

  @Override
  public String doing() {
    return "running " + call();
  }

  @Override
  protected String title() {
    return "the request (" + call() + ")";
  }

  @Override
  protected String successor() {
    return "build another one";
  }

  /**
   * Replaces the buffers of all ranks, between runs. They must be in place if the old ones were,
   * and otherwise not.
   */
  public void rebind(@Nullable MemorySegment[] inputs, @Nullable MemorySegment[] outputs) {
    requireIdle("rebind");
    bound.rebind(inputs, outputs);
  }

  /** Another operation with the same call, options and plan, but with other buffers. */
  public RequestOperation copy(
      @Nullable MemorySegment[] inputs, @Nullable MemorySegment[] outputs) {
    requireOpen("copy");
    return bindings.copy(planned, options, inputs, outputs);
  }

  /** The trace that the models of the context predict. */
  public RunTrace expectedTrace() {
    requireOpen("simulate");
    return ExpectedTrace.of(planned, core().topology(), core().settings());
  }

  /** The call of this operation. */
  public CollectiveCall call() {
    return planned.key().call();
  }

  /** The options of this operation. */
  public CallOptions options() {
    return options;
  }

  /** The call with the plan that it runs. */
  public SelectedPlan planned() {
    return planned;
  }

  /** How ranks reach the buffers, and why. */
  public Workflow workflow() {
    return WorkflowChoice.of(options, planned.key().mode(), bound.buffers(), core().names());
  }

  @Override
  public boolean isStaged() {
    return bound.isStaged();
  }
}
