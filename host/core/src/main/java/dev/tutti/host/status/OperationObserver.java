package dev.tutti.host.status;

import org.jspecify.annotations.Nullable;

/**
 * Observes the operations of a context while they run, for example to pass them on to a tracing
 * system. Thread-safe: the threads that call operations also call the observer.
 *
 * <p>An observer must be fast, and must not call the context or its groups. If it throws, the
 * exception goes to the thread's handler of uncaught exceptions, and the operation continues.
 */
@FunctionalInterface
public interface OperationObserver {

  /** The rank of an operation that one caller starts for all ranks. */
  int ALL_RANKS = -1;

  /**
   * An operation begins, on the thread that starts it. A call that a capture records is not an
   * operation; the runs of the capture are.
   *
   * @param operation the known facts about it; if a rank starts it, the bytes (0) and the algorithm
   *     (empty) are not known yet
   * @param rank the rank that starts it, or {@link #ALL_RANKS}
   * @return the observation that is notified of the end, or null if none is needed
   */
  @Nullable Observation begin(RunFacts operation, int rank);

  /** Is notified of the end of one operation. */
  @FunctionalInterface
  interface Observation {

    /**
     * The operation has ended for its caller. The thread that waits for the end calls this once. If
     * a rank's deadline passes, the operation has ended for the observation of that rank.
     *
     * @param operation the operation, with its algorithm if it ran
     * @param failure the exception that the caller gets, or null
     */
    void end(RunFacts operation, @Nullable Throwable failure);
  }
}
