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

  /** Asks from outside for an early end; set between runs. */
  private Cancellation cancellation = Cancellation.NEVER;

  /** Whether a task was skipped, so that the outputs are not what they should be. */
  private volatile boolean hasSkipped;

  /** Work after which a thread looks at the clock, in bytes: some milliseconds. */
  static final long CHECK_BYTES = 8 << 20;

  /** What a task costs beside its bytes, in bytes. */
  static final long TASK_BYTES = 256;

  private volatile long startNanos;
  private volatile long timeoutNanos;

  /** How far it was when the deadline passed in the middle of the work. */
  private volatile @Nullable LateRun late;

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

  /**
   * The data actions that are not done, or null if that cannot be told; may be called while the run
   * goes on.
   */
  abstract @Nullable Positions undone();

  /** How far it is, without waiting for anything. */
  final LateRun look() {
    return new LateRun(unfinished(), undone());
  }

  final void clear() {
    failure = null;
    isCancelled = false;
    hasSkipped = false;
    late = null;
    timeoutNanos = Long.MAX_VALUE;
    startNanos = System.nanoTime();
  }

  /** Limits the time of the run, counted from its beginning. */
  final void limit(long newTimeoutNanos) {
    timeoutNanos = newTimeoutNanos;
  }

  /** Whether the time of the run is over. */
  final boolean isLate() {
    return System.nanoTime() - startNanos > timeoutNanos;
  }

  /** Looks at the clock in the middle of the work, and ends the run if its time is over. */
  final void checkClock() {
    if (late == null && isLate()) {
      late = look();
      isCancelled = true;
    }
  }

  /** How far it was when the deadline passed in the middle of the work; null if it did not. */
  final @Nullable LateRun late() {
    return late;
  }

  final @Nullable Throwable failure() {
    return failure;
  }

  final boolean isCancelled() {
    return isCancelled || cancellation.isRequested();
  }

  final void skip() {
    hasSkipped = true;
  }

  final boolean hasSkipped() {
    return hasSkipped;
  }

  final void cancelledBy(Cancellation newCancellation) {
    cancellation = newCancellation;
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

  /**
   * Runs some neighbouring tasks, the later ones tile by tile with the first, in pieces between
   * which it looks at the clock and whether the run is to end.
   */
  final void work(TaskRunner runner, int first, int count, long bytes) {
    for (long done = 0; done < bytes; done += CHECK_BYTES) {
      if (isCancelled()) {
        skip();
        return;
      }
      long piece = Math.min(CHECK_BYTES, bytes - done);
      if (count == 1) {
        runner.run(first, done, piece);
      } else {
        runner.runTiled(first, count, done, done + piece);
      }
      if (bytes > CHECK_BYTES) {
        checkClock();
      }
    }
  }
}
