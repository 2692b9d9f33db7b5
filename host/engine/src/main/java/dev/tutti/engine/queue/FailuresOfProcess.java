package dev.tutti.engine.queue;

import dev.tutti.sdk.TuttiException;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Failures that a process stores for itself: it has all ranks, or reports failures to the other
 * processes. Thread-safe.
 */
final class FailuresOfProcess extends FailedOperations {

  private static final int MOST_AHEAD = 1024;

  private final TreeMap<Long, TuttiException> failures = new TreeMap<>();
  private final @Nullable Teller teller;
  private @Nullable TuttiException ofAll;

  /** No operation before this one has failed; queues read this between their tasks. */
  private volatile long first = Long.MAX_VALUE;

  /** Sends a failure that occurred in this process to ranks of other processes. */
  @FunctionalInterface
  interface Teller {

    /** The number for all operations that have not ended. */
    long ALL = 0;

    /** Called without a lock when an operation has failed, or all that have not ended. */
    void failed(long number, TuttiException failure);
  }

  /**
   * Starts without failures.
   *
   * @param teller null if there are no other processes
   */
  FailuresOfProcess(@Nullable Teller teller) {
    this.teller = teller;
  }

  @Override
  boolean mayHold(long number) {
    return number >= first;
  }

  @Override
  synchronized @Nullable TuttiException of(long number) {
    TuttiException own = failures.get(number);
    return own == null ? ofAll : own;
  }

  @Override
  boolean add(long number, TuttiException failure) {
    boolean isNew = hear(number, failure);
    if (isNew && teller != null) {
      teller.failed(number, failure);
    }
    return isNew;
  }

  /** Records a failure that the other processes know. */
  @Override
  synchronized boolean hear(long number, TuttiException failure) {
    boolean isNew = ofAll == null && failures.putIfAbsent(number, failure) == null;
    update();
    return isNew;
  }

  @Override
  void addAll(TuttiException failure) {
    if (hearAll(failure) && teller != null) {
      teller.failed(Teller.ALL, failure);
    }
  }

  private synchronized boolean hearAll(TuttiException failure) {
    boolean isNew = ofAll == null;
    if (isNew) {
      ofAll = failure;
    }
    update();
    return isNew;
  }

  @Override
  synchronized void forgetBefore(long number) {
    failures.headMap(number).clear();
    update();
  }

  @Override
  boolean holds(long number) {
    return mayHold(number) && holdsNow(number);
  }

  private synchronized boolean holdsNow(long number) {
    return failures.containsKey(number);
  }

  @Override
  boolean areThereAny() {
    return first != Long.MAX_VALUE;
  }

  @Override
  int ahead(long leastEnded) {
    forgetBefore(leastEnded + 1);
    return sizeNow();
  }

  private synchronized int sizeNow() {
    return failures.size();
  }

  @Override
  int mostAhead() {
    return MOST_AHEAD;
  }

  private void update() {
    first =
        ofAll != null ? Long.MIN_VALUE : failures.isEmpty() ? Long.MAX_VALUE : failures.firstKey();
  }
}
