package dev.tutti.host;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.time.Duration;

/**
 * What a group runs any number of times, one run at a time: a {@link Request}, or several of them
 * as one, {@link Captured}.
 */
public interface GroupOperation extends AutoCloseable {

  /**
   * Starts a run; small ones are complete when this returns. Inside a capture it becomes part of
   * that instead.
   *
   * @throws TuttiException with {@link ErrorCode#INVALID_STATE} if this is closed or running, or
   *     the group runs something else; {@link ErrorCode#GROUP_POISONED} after an earlier failure;
   *     {@link ErrorCode#BUFFER_UNAVAILABLE} if a buffer's memory is gone; {@link
   *     ErrorCode#RUN_FAILED} if the run failed at once; as {@link RequestBuilder#build} if a plan
   *     must be made again because its plugin was replaced or removed
   */
  void start();

  /**
   * Whether the run that was started is complete; if so, another one can be started. Leaves the
   * work to the engine's other workers.
   *
   * @throws TuttiException with {@link ErrorCode#INVALID_STATE} if no run was started; {@link
   *     ErrorCode#RUN_FAILED} if it failed; {@link ErrorCode#CANCELLED} if it was cancelled
   */
  boolean test();

  /** Waits for the run that was started, at most as long as its deadline; of several, their sum. */
  void await();

  /**
   * Waits for the run that was started and takes part in the work.
   *
   * @param deadline the longest time to wait
   * @throws TuttiException with {@link ErrorCode#INVALID_STATE} if no run was started; {@link
   *     ErrorCode#CANCELLED} if it was cancelled; {@link ErrorCode#DEADLINE_EXCEEDED}, with a
   *     diagnosis, and {@link ErrorCode#RUN_FAILED}, after which the group can only be closed
   */
  void await(Duration deadline);

  /**
   * Starts a run and waits for it: the fast way. Throws what {@link #start} and {@link #await} do.
   */
  void run();

  /**
   * Asks the run under way to end early; any thread may. What was not begun is skipped, and whoever
   * waits for the run gets {@link ErrorCode#CANCELLED}, unless it was complete before. Its outputs
   * then hold nothing of use, and in place neither do its inputs; what is copied whole, see {@link
   * #isStaged}, is as it was before the run. Another run can be started, and the group goes on.
   *
   * <p>The run still counts as under way until {@link #test} or {@link #await} has ended it.
   *
   * @return whether a run was under way
   * @throws TuttiException with {@link ErrorCode#INVALID_STATE} if this is closed
   */
  boolean cancel();

  /**
   * Whether a run was started whose end {@link #test} or {@link #await} has not seen yet; any
   * thread may ask.
   */
  boolean isRunning();

  /** Whether buffers are copied before and after each run because peers cannot reach them. */
  boolean isStaged();

  /**
   * Ends the use of this. Does nothing twice.
   *
   * @throws TuttiException with {@link ErrorCode#INVALID_STATE} while a run is under way
   */
  @Override
  void close();
}
