package dev.tutti.engine.queue;

import dev.tutti.sdk.TuttiException;
import org.jspecify.annotations.Nullable;

/** The operations of a group that have failed, by their numbers. Thread-safe. */
abstract sealed class FailedOperations permits FailuresOfProcess, SharedFailures {

  /** Whether an operation may have failed; if false, it has not. Checked between tasks. */
  abstract boolean mayHold(long number);

  /** The failure of an operation, or null. */
  abstract @Nullable TuttiException of(long number);

  /** Records a failure, unless the operation already has one; returns whether it was recorded. */
  abstract boolean add(long number, TuttiException failure);

  /** As {@link #add}, for a failure that the other processes already know. */
  boolean hear(long number, TuttiException failure) {
    return add(number, failure);
  }

  /** Makes all operations fail that have not ended, and all later ones. */
  abstract void addAll(TuttiException failure);

  /** Drops the failures of operations that all ranks have left. */
  abstract void forgetBefore(long number);

  /** Whether an operation itself has failed; takes no lock while no operation has failed. */
  abstract boolean holds(long number);

  /** Whether any failure is known. */
  abstract boolean areThereAny();

  /**
   * The largest number of failed operations that some rank has not reached yet.
   *
   * @param leastEnded the last operation that has ended for all ranks
   */
  abstract int ahead(long leastEnded);

  /** The number of failed operations that are kept. */
  abstract int mostAhead();
}
