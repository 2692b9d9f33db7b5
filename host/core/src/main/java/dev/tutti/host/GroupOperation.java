package dev.tutti.host;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.time.Duration;

/**
 * An operation that a group can run any number of times, one run at a time: a {@link Request}, or
 * several requests as one {@link Captured}.
 */
public interface GroupOperation extends AutoCloseable {

  /**
   * Starts a run. A small run is complete when this returns. Inside a capture, the operation
   * becomes part of the capture instead.
   *
   * @throws TuttiException with {@link ErrorCode#INVALID_STATE} if this is closed or running, or
   *     the group runs something else; {@link ErrorCode#GROUP_POISONED} after an earlier failure;
   *     {@link ErrorCode#BUFFER_UNAVAILABLE} if a buffer's memory is gone; {@link
   *     ErrorCode#RUN_FAILED} if the run failed at once; as {@link RequestBuilder#build} if a plan
   *     must be made again because its plugin was replaced or removed
   */
  void start();

  /**
   * Whether the current run is complete; if so, another one can be started. This method does no
   * work itself; the engine's other workers do it.
   *
   * @throws TuttiException with {@link ErrorCode#INVALID_STATE} if no run was started; {@link
   *     ErrorCode#RUN_FAILED} if it failed; {@link ErrorCode#CANCELLED} if it was cancelled
   */
  boolean test();

  /**
   * Waits for the current run, at most for its deadline. The deadline of a capture is the sum of
   * the deadlines of its operations.
   */
  void await();

  /**
   * Waits for the current run and takes part in the work.
   *
   * @param deadline the longest time to wait
   * @throws TuttiException with {@link ErrorCode#INVALID_STATE} if no run was started; {@link
   *     ErrorCode#CANCELLED} if it was cancelled; {@link ErrorCode#DEADLINE_EXCEEDED}, with a
   *     diagnosis, and {@link ErrorCode#RUN_FAILED}, after which the group can only be closed
   */
  void await(Duration deadline);

  /**
   * Starts a run and waits for it, which is the fastest way to run. Throws the exceptions of {@link
   * #start} and {@link #await}.
   */
  void run();

  /**
   * Cancels the current run; any thread may call this. Actions that have not begun are skipped, and
   * waiting threads get {@link ErrorCode#CANCELLED}, unless the run was complete before. Its
   * outputs are then undefined, and so are the inputs of an operation in place. Buffers that are
   * copied whole (see {@link #isStaged}) keep the contents that they had before the run. The group
   * stays usable, and another run can be started.
   *
   * <p>The run counts as running until {@link #test} or {@link #await} has ended it.
   *
   * @return whether there was a current run
   * @throws TuttiException with {@link ErrorCode#INVALID_STATE} if this is closed
   */
  boolean cancel();

  /**
   * Whether there is a run that {@link #test} or {@link #await} has not ended yet; any thread may
   * call this.
   */
  boolean isRunning();

  /** Whether buffers are copied before and after each run because peers cannot reach them. */
  boolean isStaged();

  /**
   * Closes this operation. A second call does nothing.
   *
   * @throws TuttiException with {@link ErrorCode#INVALID_STATE} while a run is under way
   */
  @Override
  void close();
}
