package dev.tutti.host;

import dev.tutti.host.engine.Binding;
import dev.tutti.host.engine.Cancellation;
import dev.tutti.host.live.Generation;
import dev.tutti.host.plugin.Algorithm;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.plan.GroupPlan;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
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
 * <p>An interrupt does not end a run; the deadline and {@link #cancel} do.
 */
public final class Request extends RunHolder implements AutoCloseable {

  private enum State {
    IDLE,
    RUNNING,
    /** Started while the group records: there is nothing to wait for. */
    RECORDED,
    CLOSED
  }

  private final Group group;
  private final RunSlot slot;
  private volatile Planned planned;
  private final CallOptions options;
  private final long deadlineNanos;
  private BoundBuffers bound;
  private Binding binding;
  private State state = State.IDLE;

  /** Runs with the plan it has; read by others without need for the last one. */
  private long runs;

  private final RunCancel cancel = new RunCancel();
  private Cancellation cancellation = cancel;

  /** The event of the run under way; null if nobody records. */
  private @Nullable RunEvent event;

  Request(
      Group group,
      RunSlot slot,
      Planned planned,
      CallOptions options,
      long deadlineNanos,
      BoundBuffers bound) {
    this.group = group;
    this.slot = slot;
    this.planned = planned;
    this.options = options;
    this.deadlineNanos = deadlineNanos;
    this.bound = bound;
    this.binding = bound.binding();
  }

  /**
   * Starts a run; small operations are complete when this returns.
   *
   * @throws TuttiException with {@link ErrorCode#INVALID_STATE} if this request is closed or
   *     running, or the group runs another one; {@link ErrorCode#GROUP_POISONED} after an earlier
   *     failure; {@link ErrorCode#BUFFER_UNAVAILABLE} if a buffer's memory is gone; {@link
   *     ErrorCode#RUN_FAILED} if the run failed at once; as {@link RequestBuilder#build} if the
   *     plan must be made again because its plugin was replaced or removed
   */
  public void start() {
    if (!begin()) {
      return;
    }
    try {
      binding.start(deadlineNanos);
    } catch (Throwable t) {
      throw failed(t);
    }
  }

  /**
   * Whether the run that was started is complete; if so, the request can be started again. Leaves
   * the work to the engine's other workers.
   *
   * @throws TuttiException with {@link ErrorCode#INVALID_STATE} if no run was started; {@link
   *     ErrorCode#RUN_FAILED} if it failed; {@link ErrorCode#CANCELLED} if it was cancelled
   */
  public boolean test() {
    if (endRecorded()) {
      return true;
    }
    requireRunning();
    boolean isDone;
    try {
      isDone = binding.test();
    } catch (Throwable t) {
      throw failed(t);
    }
    if (isDone) {
      end();
    }
    return isDone;
  }

  /** Waits for the run that was started, at most as long as the request's deadline. */
  public void await() {
    await(deadlineNanos);
  }

  /**
   * Waits for the run that was started and takes part in the work.
   *
   * @param deadline the longest time to wait
   * @throws TuttiException with {@link ErrorCode#INVALID_STATE} if no run was started; {@link
   *     ErrorCode#CANCELLED} if it was cancelled; {@link ErrorCode#DEADLINE_EXCEEDED}, with a
   *     diagnosis, and {@link ErrorCode#RUN_FAILED}, after which the group can only be closed
   */
  public void await(Duration deadline) {
    await(Deadlines.nanos(deadline));
  }

  private void await(long nanos) {
    if (endRecorded()) {
      return;
    }
    requireRunning();
    try {
      binding.await(nanos);
    } catch (Throwable t) {
      throw failed(t);
    }
    end();
  }

  /**
   * Starts a run and waits for it: the fast way. Throws what {@link #start} and {@link #await} do.
   */
  public void run() {
    if (!begin()) {
      state = State.IDLE;
      return;
    }
    try {
      binding.run(deadlineNanos);
    } catch (Throwable t) {
      throw failed(t);
    }
    end();
  }

  /** Runs as {@link #run}, but with another one who may end the run early. */
  void run(Cancellation other) {
    cancellation = other;
    run();
  }

  /** Makes everything ready for a run; false if the run was recorded instead. */
  private boolean begin() {
    if (state != State.IDLE) {
      throw wrongState("start");
    }
    cancel.nextRun();
    if (!slot.acquire(this)) {
      group.record(new CapturedCall(planned, options, buffers()));
      state = State.RECORDED;
      return false;
    }
    try {
      // After the slot is taken: who retires the plan's plugin then sees this run, or this sees it.
      if (planned.generation().isRetired()) {
        planAgain();
      }
      bound.beforeRun();
      binding.cancelledBy(cancellation);
      event = RunRecorder.begin();
    } catch (Throwable t) {
      slot.release();
      throw t;
    }
    state = State.RUNNING;
    return true;
  }

  private boolean endRecorded() {
    boolean wasRecorded = state == State.RECORDED;
    if (wasRecorded) {
      state = State.IDLE;
    }
    return wasRecorded;
  }

  /** Takes the plan that a new request would get now; keeps the old one if there is none. */
  private void planAgain() {
    Planned fresh = group.planAgain(planned);
    BoundBuffers rebound = bound.over(group, fresh);
    countRuns();
    bound.close();
    planned = fresh;
    bound = rebound;
    binding = rebound.binding();
  }

  private void countRuns() {
    planned.generation().ran(runs);
    runs = 0;
  }

  /** The plugin's term of service that the plan is of. */
  Generation generation() {
    return planned.generation();
  }

  Planned planned() {
    return planned;
  }

  Buffers buffers() {
    return bound.buffers();
  }

  @Override
  boolean uses(Generation generation) {
    return planned.generation() == generation;
  }

  @Override
  String doing() {
    return "running " + call();
  }

  /** Runs that are not yet counted in the generation. */
  long runs() {
    return runs;
  }

  /** The results are brought back before another run of the group can begin. */
  private void end() {
    try {
      bound.afterRun();
    } catch (Throwable t) {
      throw failed(t);
    }
    runs++;
    if (event != null) {
      RunRecorder.end(event, planned);
      event = null;
    }
    state = State.IDLE;
    slot.release();
  }

  /**
   * Asks the run under way to end early; any thread may. What was not begun is skipped, and whoever
   * waits for the run gets {@link ErrorCode#CANCELLED}, unless it was complete before. Its outputs
   * then hold nothing of use, and in place neither do its inputs; what is copied whole, see {@link
   * #isStaged}, is as it was before the run. The request can be started again and its group goes
   * on.
   *
   * <p>The run still counts as under way until {@link #test} or {@link #await} has ended it.
   *
   * @return whether a run was under way
   * @throws TuttiException with {@link ErrorCode#INVALID_STATE} if this is closed
   */
  public boolean cancel() {
    if (isRunning()) {
      cancel.request();
      return true;
    }
    if (state == State.CLOSED) {
      throw wrongState("cancel");
    }
    return false;
  }

  /**
   * Whether a run was started whose end {@link #test} or {@link #await} has not seen yet; any
   * thread may ask.
   */
  public boolean isRunning() {
    return slot.running() == this;
  }

  /** Poisons the group before the slot is left, so that nobody runs in between. */
  private TuttiException failed(Throwable thrown) {
    TuttiException failure =
        thrown instanceof TuttiException coded
            ? coded
            : new TuttiException(
                ErrorCode.RUN_FAILED, thrown, "%s failed: %s", planned.key().call(), thrown);
    state = State.IDLE;
    event = null;
    if (failure.code() == ErrorCode.CANCELLED) {
      slot.release();
      return failure;
    }
    group.poison(String.valueOf(failure.getMessage()));
    slot.release();
    group.runFailed(planned.generation(), failure);
    return failure;
  }

  private void requireRunning() {
    if (state != State.RUNNING) {
      throw wrongState("wait for");
    }
  }

  private TuttiException wrongState(String asked) {
    String actual =
        switch (state) {
          case IDLE -> "not started; start it first";
          case RUNNING, RECORDED -> "running; wait for its end first";
          case CLOSED -> "closed; build another one";
        };
    return new TuttiException(
        ErrorCode.INVALID_STATE,
        "cannot %s the request (%s): it is %s",
        asked,
        planned.key().call(),
        actual);
  }

  /**
   * Replaces the buffers of all ranks, between runs. They must be in place exactly if the old ones
   * were.
   *
   * @throws TuttiException as {@link RequestBuilder#build} for the buffers
   */
  public void rebind(@Nullable MemorySegment[] inputs, @Nullable MemorySegment[] outputs) {
    if (state != State.IDLE) {
      throw wrongState("rebind");
    }
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
    if (state == State.CLOSED) {
      throw wrongState("copy");
    }
    return group.copy(planned, options, inputs, outputs);
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
    return Workflow.of(options, planned.key().mode(), bound.buffers(), group.names());
  }

  /** Whether buffers are copied whole before and after each run because peers cannot reach them. */
  public boolean isStaged() {
    return bound.isStaged();
  }

  /**
   * Ends the use of this request. Does nothing twice.
   *
   * @throws TuttiException with {@link ErrorCode#INVALID_STATE} while a run is under way
   */
  @Override
  public void close() {
    if (state == State.RUNNING) {
      throw wrongState("close");
    }
    if (state == State.IDLE || state == State.RECORDED) {
      state = State.CLOSED;
      countRuns();
      group.closed(this);
      bound.close();
    }
  }
}
