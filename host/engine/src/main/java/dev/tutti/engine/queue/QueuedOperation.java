package dev.tutti.engine.queue;

import dev.tutti.engine.RankBinding;
import dev.tutti.sdk.TuttiException;
import org.jspecify.annotations.Nullable;

/**
 * One rank's part in operations of its group, one after another, which {@link OperationQueues} run.
 * Subclasses know the call and the buffers.
 *
 * <p>The fields belong to the thread that starts the operation until it is started, and then to the
 * queues until it has ended.
 */
public abstract class QueuedOperation {

  private @Nullable RankBinding binding;
  private @Nullable TuttiException failure;
  private long number;
  private boolean hasBegun;

  /**
   * The binding that was agreed on in the last run; null before the first run, and if there was
   * nothing to run.
   */
  public final @Nullable RankBinding binding() {
    return binding;
  }

  /** The number of the current or last operation of the group; 0 if there was none. */
  public final long number() {
    return number;
  }

  /** The failure; null if there is none. Valid after the end. */
  public final @Nullable TuttiException failure() {
    return failure;
  }

  /**
   * Whether the operation may run its last binding again, without another agreement. Any thread may
   * ask, but never while a plan runs.
   */
  protected abstract boolean isCurrent();

  /**
   * The binding that it may run without another agreement; null if the ranks must agree. Called by
   * the thread that takes its rank into the operation, never while a plan runs.
   */
  protected @Nullable RankBinding brings() {
    return binding != null && isCurrent() ? binding : null;
  }

  /** Whether it has begun to run; false if it ended before that. */
  protected final boolean hasBegun() {
    return hasBegun;
  }

  /** Called by the thread that begins to run it, after all ranks have agreed. Must not throw. */
  protected void begun() {}

  /** Called by the thread that has ended it, before the end is announced. Must not throw. */
  protected void ended() {}

  /** Sets a binding that was agreed on earlier, in another operation; called between operations. */
  protected final void bring(RankBinding known) {
    binding = known;
  }

  final void begin(long newNumber) {
    number = newNumber;
    failure = null;
    hasBegun = false;
  }

  final void begins() {
    hasBegun = true;
    begun();
  }

  final void agreed(@Nullable RankBinding newBinding) {
    binding = newBinding;
  }

  final void end(@Nullable TuttiException newFailure) {
    failure = newFailure;
    ended();
  }
}
