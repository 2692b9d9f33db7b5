package dev.tutti.engine.queue;

import dev.tutti.engine.RankBinding;
import dev.tutti.sdk.TuttiException;
import org.jspecify.annotations.Nullable;

/**
 * One rank's part in operations of its group, one after another: what {@link OperationQueues} run.
 * Those who extend it know the call and the buffers.
 *
 * <p>The fields belong to the thread that starts the operation until it is started, and then to the
 * queues until it has ended.
 */
public abstract class QueuedOperation {

  private @Nullable RankBinding binding;
  private @Nullable TuttiException failure;
  private long number;
  private boolean hasBegun;

  /** What was agreed on when it ran last; null before that, and if nothing was run then. */
  public final @Nullable RankBinding binding() {
    return binding;
  }

  /** The number of the operation of the group that it is, or was last; 0 if it never was one. */
  public final long number() {
    return number;
  }

  /** What went wrong; null if nothing did. To be asked after the end. */
  public final @Nullable TuttiException failure() {
    return failure;
  }

  /**
   * Whether the operation may run as it did last, without another agreement. Asked by any thread,
   * and never while a plan runs.
   */
  protected abstract boolean isCurrent();

  /**
   * What it may run without another agreement; null if the ranks must agree. Asked by the thread
   * that takes its rank into the operation, and never while a plan runs.
   */
  protected @Nullable RankBinding brings() {
    return binding != null && isCurrent() ? binding : null;
  }

  /** Whether it has begun to run, and was not ended before that. */
  protected final boolean hasBegun() {
    return hasBegun;
  }

  /** Called by the thread that begins to run it, after all ranks have agreed. Must not throw. */
  protected void begun() {}

  /** Called by the thread that has ended it, before anybody is told. Must not throw. */
  protected void ended() {}

  /** Has what was agreed on before, and not as a part of this; between operations. */
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
