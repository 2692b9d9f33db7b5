package dev.tutti.engine.queue;

import dev.tutti.sdk.TuttiException;
import org.jspecify.annotations.Nullable;

/** The operations of a group that end in failure, by their numbers. Thread-safe. */
abstract sealed class FailedOperations permits FailuresOfProcess, SharedFailures {

  /** Whether an operation may have failed; if not, it has not. Looked at between tasks. */
  abstract boolean mayHold(long number);

  /** The failure of an operation, or null. */
  abstract @Nullable TuttiException of(long number);

  /** Notes a failure, unless the operation has one; tells whether it had none. */
  abstract boolean add(long number, TuttiException failure);

  /** The same, where it is known that the other processes know. */
  boolean hear(long number, TuttiException failure) {
    return add(number, failure);
  }

  /** Lets all operations fail from now on that have not ended. */
  abstract void addAll(TuttiException failure);

  /** Forgets operations that all ranks have left. */
  abstract void forgetBefore(long number);

  /** Whether an operation has a failure of its own; takes no lock while none has failed. */
  abstract boolean holds(long number);

  /** Whether any failure is known. */
  abstract boolean areThereAny();

  /**
   * How many failed operations, at the most, some rank has yet to come to.
   *
   * @param leastEnded the last operation that has ended for all ranks
   */
  abstract int ahead(long leastEnded);

  /** So many of them are kept. */
  abstract int mostAhead();
}
