package dev.tutti.host;

import dev.tutti.engine.trace.RunTrace;
import dev.tutti.host.call.CallOptions;
import dev.tutti.host.call.CollectiveCall;
import dev.tutti.host.call.Workflow;
import dev.tutti.host.group.RequestOperation;
import dev.tutti.plan.GroupPlan;
import dev.tutti.plugin.Algorithm;
import dev.tutti.sdk.Arguments;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One operation of a group with its buffers. It is built once and run any number of times. A run
 * allocates nothing, and the calling thread takes part in the work.
 *
 * <p>A group runs one request at a time; starting a second one is refused. Not thread-safe: one
 * thread at a time. Buffers are owned by the caller and must outlive the request or its last run.
 * Memory that peers cannot reach is copied, see {@link #workflow}. The thread that runs the request
 * copies memory of a confined arena, so it must be the owner of the arena.
 *
 * <p>If the plugin of its plan is replaced or removed, the next start uses the plan that a new
 * request would get. A current run is not disturbed.
 *
 * <p>An interrupt does not end a run; the deadline and {@code cancel()} do.
 */
public final class Request implements GroupOperation {

  private final RequestOperation operation;

  Request(RequestOperation operation) {
    this.operation = operation;
  }

  /** The operation that this request runs. */
  RequestOperation operation() {
    return operation;
  }

  @Override
  public void start() {
    operation.start();
  }

  @Override
  public boolean test() {
    return operation.test();
  }

  @Override
  public void await() {
    operation.await();
  }

  @Override
  public void await(Duration deadline) {
    Arguments.require(deadline, "deadline");
    operation.await(deadline);
  }

  @Override
  public void run() {
    operation.run();
  }

  @Override
  public boolean cancel() {
    return operation.cancel();
  }

  @Override
  public boolean isRunning() {
    return operation.isRunning();
  }

  @Override
  public boolean isStaged() {
    return operation.isStaged();
  }

  @Override
  public void close() {
    operation.close();
  }

  /**
   * Replaces the buffers of all ranks, between runs. They must be in place if the old ones were,
   * and otherwise not.
   *
   * @throws dev.tutti.sdk.TuttiException as {@link RequestBuilder#build} for the buffers
   */
  public void rebind(@Nullable MemorySegment[] inputs, @Nullable MemorySegment[] outputs) {
    Arguments.require(inputs, "inputs");
    Arguments.require(outputs, "outputs");
    operation.rebind(inputs, outputs);
  }

  /**
   * Makes another request with the same operation, options and plan, but with other buffers.
   * Nothing is chosen, recorded or compiled. The two are started and closed independently.
   *
   * @param inputs one entry per rank; in place if this request is, and otherwise not
   * @param outputs one entry per rank
   * @throws dev.tutti.sdk.TuttiException with code INVALID_STATE if this is closed; as {@link
   *     RequestBuilder#build} for the buffers
   */
  public Request copy(@Nullable MemorySegment[] inputs, @Nullable MemorySegment[] outputs) {
    Arguments.require(inputs, "inputs");
    Arguments.require(outputs, "outputs");
    return new Request(operation.copy(inputs, outputs));
  }

  /**
   * Runs once like {@link #run} and records when each action of each rank begins and ends. Such a
   * run takes a little longer; later runs do not.
   *
   * @throws dev.tutti.sdk.TuttiException as {@link #run}; with code INVALID_STATE inside a capture,
   *     where nothing runs
   */
  public RunTrace trace() {
    return operation.trace();
  }

  /**
   * The trace that the models of the context predict for a run: the machine model if all ranks are
   * on one node, otherwise the network model. Runs nothing.
   *
   * @throws dev.tutti.sdk.TuttiException with code INVALID_STATE if this is closed
   */
  public RunTrace expectedTrace() {
    return operation.expectedTrace();
  }

  /** The call of this request. */
  public CollectiveCall call() {
    return operation.call();
  }

  /** The options it was built with. */
  public CallOptions options() {
    return operation.options();
  }

  /** The chosen algorithm; for a transfer, the sender's algorithm. */
  public Algorithm algorithm() {
    return operation.planned().algorithm();
  }

  /** The plan it runs. */
  public GroupPlan plan() {
    return operation.planned().plan();
  }

  /** Whether each rank's input and output are the same memory. */
  public boolean isInPlace() {
    return operation.planned().key().inPlace();
  }

  /** How ranks reach the buffers, and why. */
  public Workflow workflow() {
    return operation.workflow();
  }
}
