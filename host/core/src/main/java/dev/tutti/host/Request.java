package dev.tutti.host;

import dev.tutti.host.watch.Counters;
import dev.tutti.host.watch.RunFacts;
import dev.tutti.plan.GroupPlan;
import dev.tutti.plugin.Algorithm;
import dev.tutti.plugin.live.Generation;
import dev.tutti.sdk.Arguments;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * One operation of a group with its buffers: initialised once, run any number of times. A run of a
 * request allocates nothing and takes part in the work on the calling thread.
 *
 * <p>A group runs one request at a time; starting a second one is refused. Not thread-safe: one
 * thread at a time. Buffers are owned by the caller and must outlive the request or its last run.
 * What peers cannot reach is copied, see {@link #workflow}; memory of a confined arena by the
 * thread that runs the request, which must be the one that may use it.
 *
 * <p>When the plugin of its plan is replaced or removed, the next start takes the plan that a new
 * request would get; a run that is under way is not disturbed.
 *
 * <p>An interrupt does not end a run; the deadline and {@code cancel()} do.
 */
public final class Request extends RunnableOperation {

  private final GroupBindings bindings;
  private volatile SelectedPlan planned;
  private final CallOptions options;
  private BoundBuffers bound;

  Request(
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
  void record() {
    Capture.record(core().slot(), recorded());
  }

  /** What a capture holds instead of a run of this. */
  CapturedCall recorded() {
    return new CapturedCall(planned, options, bound.buffers());
  }

  @Override
  void beforeRun() {
    if (planned.generation().isRetired()) {
      planAgain();
    }
    bound.beforeRun();
  }

  /** Takes the plan that a new request would get now; keeps the old one if there is none. */
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
  MemorySegment.Scope[] scopes() {
    return bound.buffers().scopes();
  }

  @Override
  void afterRun() {
    bound.afterRun();
  }

  @Override
  void report(TuttiException failure) {
    core().planner().runFailed(planned.generation(), failure);
    planned.countFailure(core().counters());
  }

  @Override
  void ran(long ended) {
    planned.generation().ran(ended);
  }

  @Override
  void count(Counters into, long ended, long inNanos) {
    planned.count(into, ended, inNanos);
  }

  @Override
  RunFacts makeFacts() {
    return planned.facts(core().number());
  }

  @Override
  void release() {
    bindings.closed(this);
    bound.close();
  }

  @Override
  boolean uses(Generation generation) {
    return planned.generation() == generation;
  }

  @Override
  String doing() {
    return "running " + call();
  }

  @Override
  String title() {
    return "the request (" + call() + ")";
  }

  @Override
  String successor() {
    return "build another one";
  }

  /**
   * Replaces the buffers of all ranks, between runs. They must be in place exactly if the old ones
   * were.
   *
   * @throws TuttiException as {@link RequestBuilder#build} for the buffers
   */
  public void rebind(@Nullable MemorySegment[] inputs, @Nullable MemorySegment[] outputs) {
    Arguments.require(inputs, "inputs");
    Arguments.require(outputs, "outputs");
    requireIdle("rebind");
    bound.rebind(inputs, outputs);
  }

  /**
   * Another request of the same operation, options and plan with buffers of its own. Nothing is
   * chosen, recorded or compiled; the two are started and closed independently.
   *
   * @param inputs one entry per rank; in place exactly if this request is
   * @param outputs one entry per rank
   * @throws TuttiException with {@link ErrorCode#INVALID_STATE} if this is closed; as {@link
   *     RequestBuilder#build} for the buffers
   */
  public Request copy(@Nullable MemorySegment[] inputs, @Nullable MemorySegment[] outputs) {
    Arguments.require(inputs, "inputs");
    Arguments.require(outputs, "outputs");
    requireOpen("copy");
    return bindings.copy(planned, options, inputs, outputs);
  }

  /** What this request does. */
  public CollectiveCall call() {
    return planned.key().call();
  }

  /** The options it was built with. */
  public CallOptions options() {
    return options;
  }

  /** The algorithm that was chosen; of a transfer, the sender's. */
  public Algorithm algorithm() {
    return planned.algorithm();
  }

  /** The plan it runs. */
  public GroupPlan plan() {
    return planned.plan();
  }

  /** Whether each rank's input and output are one memory. */
  public boolean isInPlace() {
    return planned.key().inPlace();
  }

  /** How the buffers are reached, and why so. */
  public Workflow workflow() {
    return Workflow.of(options, planned.key().mode(), bound.buffers(), core().names());
  }

  @Override
  public boolean isStaged() {
    return bound.isStaged();
  }
}
