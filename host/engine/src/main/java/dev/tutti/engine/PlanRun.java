package dev.tutti.engine;

import dev.tutti.base.idle.Clock;
import dev.tutti.base.idle.SharedWork;
import org.jspecify.annotations.Nullable;

/**
 * The running state of one binding. One thread, the owner, begins a run and waits for it; any
 * number of threads help.
 */
abstract class PlanRun implements SharedWork {

  private final Clock clock;

  /** The first failure; written once, before the failing thread reports any progress. */
  private volatile @Nullable Throwable failure;

  /** Set when the run has failed: tasks are skipped, but waits are released. */
  private volatile boolean isCancelled;

  /** May request an early end from outside; set between runs. */
  private Cancellation cancellation = Cancellation.NEVER;

  /** Whether a task was skipped, so that the outputs are incomplete. */
  private volatile boolean hasSkipped;

  /** The work, in bytes, after which a thread looks at the clock: some milliseconds. */
  static final long CHECK_BYTES = 8 << 20;

  /** How much of the first task is done before helpers are notified of the run. */
  private static final long OPENING_BYTES = 4 << 10;

  /** The fixed cost of a task besides its bytes, in bytes. */
  static final long TASK_BYTES = 256;

  /** Written before helpers can take part in the run. */
  private long startNanos;

  private volatile long timeoutNanos;

  /** The progress of the run when the deadline passed in the middle of the work. */
  private volatile @Nullable Late late;

  /**
   * The progress of a run at its deadline.
   *
   * @param unfinished the unfinished work, in indented lines
   * @param undone the data actions that were not done; null if they are not known
   */
  record Late(String unfinished, @Nullable Positions undone) {}

  PlanRun(Clock clock) {
    this.clock = clock;
  }

  /**
   * Begins the next run with a first, small piece of its work. Helpers are notified only after it,
   * because notifying them takes longer: the field that they watch lies in the caches of their
   * cores.
   *
   * @param newTimeoutNanos how long the run may take
   */
  abstract void begin(long newTimeoutNanos);

  /**
   * Works on the run until there is no work left for this thread.
   *
   * @param worker the number of the thread, 0 for the caller; it starts with the same part of the
   *     work in every run, which is then still in its core's cache
   * @return whether it did anything
   */
  @Override
  public abstract boolean help(int worker);

  /** Whether every task is done or skipped; acquires what the helpers wrote. */
  abstract boolean isDone();

  /** Whether the run is worth other threads' help. */
  abstract boolean isShared();

  /** The unfinished work, for a diagnosis; may be called during the run. */
  abstract String unfinished();

  /**
   * The data actions that are not done, or null if they are not known; may be called during the
   * run.
   */
  abstract @Nullable Positions undone();

  /** The progress of the run now; does not wait. */
  final Late look() {
    return new Late(unfinished(), undone());
  }

  /**
   * Clears the state of the previous run, which did not fail: after a failure there is no other
   * run. Helpers read these fields, so each is written only if it changes: a volatile write waits
   * until the other cores have released the line.
   */
  final void clear(long newTimeoutNanos) {
    if (hasSkipped) {
      hasSkipped = false;
    }
    limit(newTimeoutNanos);
    startNanos = clock.nanoTime();
  }

  /** Limits the time of the run, counted from its beginning. */
  final void limit(long newTimeoutNanos) {
    if (timeoutNanos != newTimeoutNanos) {
      timeoutNanos = newTimeoutNanos;
    }
  }

  /** Whether the time of the run is over. */
  final boolean isLate() {
    return clock.nanoTime() - startNanos > timeoutNanos;
  }

  /** Reads the clock in the middle of the work, and ends the run if its time is over. */
  final void checkClock() {
    if (late == null && isLate()) {
      late = look();
      isCancelled = true;
    }
  }

  /** The progress when the deadline passed in the middle of the work; null if it did not pass. */
  final @Nullable Late late() {
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

  /** The cancellation that may end the run early. */
  final Cancellation cancellation() {
    return cancellation;
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
   * Does the first piece of some neighbouring tasks, which no other thread can take yet.
   *
   * @param from where they begin
   * @param bytes how much of each there is to do
   * @return how many bytes are done of each
   */
  final long open(TaskRunner runner, int first, int count, long from, long bytes) {
    long piece = Math.min(OPENING_BYTES, bytes);
    try {
      work(runner, first, count, from, from + piece);
    } catch (Throwable t) {
      fail(t);
    }
    return piece;
  }

  /**
   * Runs some neighbouring tasks, the later ones tile by tile with the first, in pieces. Between
   * pieces, it checks the clock and whether the run must end.
   *
   * @param from the bytes that are done
   * @param bytes where to end
   */
  final void work(TaskRunner runner, int first, int count, long from, long bytes) {
    for (long done = from; done < bytes; done += CHECK_BYTES) {
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
