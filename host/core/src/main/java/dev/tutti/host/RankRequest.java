package dev.tutti.host;

import dev.tutti.engine.trace.RunTrace;
import dev.tutti.host.call.CollectiveCall;
import dev.tutti.host.rank.RankOperation;
import dev.tutti.plugin.Algorithm;
import dev.tutti.sdk.Arguments;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.WorkflowMode;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * One rank's part in an operation of its group, with its buffers. It is made once by {@link
 * RankHandle#requests} and run any number of times. A start does not wait for other ranks. The
 * operation runs once all ranks have started it. The threads of waiting ranks and the engine's
 * helpers run it.
 *
 * <p>A rank can have up to 64 operations in flight, and up to 64 transfers with each other rank.
 * All ranks start their operations in the same order. The buffers belong to the operation until
 * {@link #test} or {@link #await} has ended it. Not thread-safe, except for {@link #cancel}: only
 * the rank's own thread may use it.
 */
public final class RankRequest {

  private final RankOperation operation;

  RankRequest(RankOperation operation) {
    this.operation = operation;
  }

  /** The operation of this rank. */
  public CollectiveCall call() {
    return operation.call();
  }

  /**
   * The algorithm of the last run, on which the ranks agreed; for a transfer, the sender's
   * algorithm. Empty before the first run.
   */
  public Optional<Algorithm> algorithm() {
    return Optional.ofNullable(operation.ran()).map(ran -> ran.planned().algorithm());
  }

  /** The mode of the last run; empty before the first run. */
  public Optional<WorkflowMode> mode() {
    return Optional.ofNullable(operation.ran()).map(ran -> ran.planned().key().mode());
  }

  /**
   * Starts the operation and does not wait for other ranks, unless 64 operations of this rank are
   * in flight. {@link #test} and {@link #await} report later errors, on all ranks.
   *
   * @return this
   * @throws TuttiException with {@link ErrorCode#INVALID_STATE} if this request is under way, or
   *     the group is closed; {@link ErrorCode#GROUP_POISONED} after an earlier failure; {@link
   *     ErrorCode#BUFFER_UNAVAILABLE}, {@link ErrorCode#BUFFER_OVERLAP} or {@link
   *     ErrorCode#BUFFER_TOO_SMALL} if a buffer of this rank cannot be used, which ends the
   *     operation for the others, too
   */
  public RankRequest start() {
    operation.start();
    return this;
  }

  /**
   * Starts the operation as {@link #start} does, and records when each action of each rank begins
   * and ends. One rank that traces its part is enough; all that do so get the same trace. Time 0 is
   * when the first rank begins, after all have started. Such a run takes a little longer; later
   * runs do not.
   *
   * @return completes with the trace when the parts of all ranks have ended, on the thread that
   *     ended the last one. If the operation fails, it completes exceptionally, at the latest when
   *     the ranks run a later operation.
   * @throws TuttiException as {@link #start}; with {@link ErrorCode#INVALID_STATE} inside a
   *     capture, where nothing runs; {@link ErrorCode#UNSUPPORTED} if the ranks are in several
   *     processes
   */
  public CompletionStage<RunTrace> trace() {
    return operation.trace();
  }

  /** Starts and waits: a blocking call. */
  void run() {
    operation.run();
  }

  RankOperation operation() {
    return operation;
  }

  /**
   * Whether the operation is complete for this rank; if so, the request may be started again. Does
   * not wait for other ranks, but does any work that is ready. If a virtual thread calls this
   * repeatedly without success, it is parked for 20 µs every 64 calls, because a yielding thread
   * could keep its processor from the rank that does the work.
   *
   * @throws TuttiException with {@link ErrorCode#INVALID_STATE} if it was not started, or if a rank
   *     ended without starting it; {@link ErrorCode#CALL_MISMATCH} if the ranks disagree; {@link
   *     ErrorCode#CANCELLED} if a rank cancelled it; {@link ErrorCode#DEADLINE_EXCEEDED} if not all
   *     ranks started it in time; otherwise as {@link RequestBuilder#build} and {@link Request#run}
   */
  public boolean test() {
    return operation.test();
  }

  /**
   * Waits for the operation, at most as long as its deadline, counted from the start.
   *
   * @throws TuttiException as {@link #await(Duration)}
   */
  public void await() {
    operation.await();
  }

  /**
   * Waits for the operation.
   *
   * @param deadline the longest time to wait from now on
   * @throws TuttiException as {@link #test}; after {@link ErrorCode#DEADLINE_EXCEEDED} the group
   *     can only be closed; {@link ErrorCode#INTERRUPTED} if the thread is interrupted; its flag
   *     stays set and the operation continues, so wait again or cancel it
   */
  public void await(Duration deadline) {
    Arguments.require(deadline, "deadline");
    operation.await(deadline);
  }

  /**
   * The end of the current operation as a completion stage. It replaces {@link #test} and {@link
   * #await}, which are then refused. It completes when this rank's output is complete, within the
   * deadline, or with the {@link TuttiException} that {@link #await()} would throw. Dependent
   * actions run in a virtual thread. They may block and may start the request again, but the same
   * rank must not make another call meanwhile.
   *
   * @return the end of the last start
   * @throws TuttiException with {@link ErrorCode#INVALID_STATE} if it was not started; {@link
   *     ErrorCode#BUFFER_UNAVAILABLE} if the output is in a confined arena
   */
  public CompletionStage<Void> completion() {
    return operation.completion();
  }

  /**
   * Cancels the current operation on all ranks; any thread may call this. Each rank whose part was
   * not complete gets {@link ErrorCode#CANCELLED} from its wait, including ranks that start it
   * later. The group can run further operations.
   *
   * <p>The operation counts as running until {@link #test} or {@link #await} has ended it.
   *
   * @return whether there was a current operation that was not complete
   */
  public boolean cancel() {
    return operation.cancel();
  }

  /** Whether there is a start that {@link #test} or {@link #await} has not ended yet. */
  public boolean isRunning() {
    return operation.isRunning();
  }

  @Override
  public String toString() {
    return operation.toString();
  }
}
