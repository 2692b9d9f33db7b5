package dev.tutti.host.engine;

import org.jspecify.annotations.Nullable;

/**
 * The running state of one binding. One thread, the owner, begins a run and waits for it; any
 * number of threads help.
 */
abstract class PlanRun {

  /**
   * The first failure of this run; written once, before the failing thread reports any progress.
   */
  private volatile @Nullable Throwable failure;

  /** Set when the run is to end early: tasks are skipped, but waits are released. */
  private volatile boolean isCancelled;

  /** Prepares the next run. No thread helps before {@link Engine#publish}. */
  abstract void begin();

  /**
   * Works on the run until there is nothing left that this thread could do.
   *
   * @param worker the number of the thread, 0 for the caller; it starts with the same part of the
   *     work in every run, which is then still in its core's cache
   * @return whether it did anything
   */
  abstract boolean help(int worker);

  /** Whether every task is done or skipped; acquires what the helpers wrote. */
  abstract boolean isDone();

  /** Whether the run is worth other threads' help. */
  abstract boolean isShared();

  /** What is not done, for a diagnosis; may be called while the run goes on. */
  abstract String unfinished();

  final void clear() {
    failure = null;
    isCancelled = false;
  }

  final @Nullable Throwable failure() {
    return failure;
  }

  final boolean isCancelled() {
    return isCancelled;
  }

  final void cancel() {
    isCancelled = true;
  }

  /** Records a failure and lets the rest of the run drain. */
  final void fail(Throwable thrown) {
    synchronized (this) {
      if (failure == null) {
        failure = thrown;
      }
    }
    isCancelled = true;
  }
}
