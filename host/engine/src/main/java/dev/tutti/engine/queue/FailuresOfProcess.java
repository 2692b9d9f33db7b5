package dev.tutti.engine.queue;

import dev.tutti.sdk.TuttiException;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Failures of operations whose ranks are all in this process. Thread-safe. */
final class FailuresOfProcess extends FailedOperations {

  private static final int MOST_AHEAD = 1024;

  private final TreeMap<Long, TuttiException> failures = new TreeMap<>();
  private @Nullable TuttiException ofAll;

  /** No operation before this one has failed; what queues look at between their tasks. */
  private volatile long first = Long.MAX_VALUE;

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
  synchronized boolean add(long number, TuttiException failure) {
    boolean isNew = ofAll == null && failures.putIfAbsent(number, failure) == null;
    update();
    return isNew;
  }

  @Override
  synchronized void addAll(TuttiException failure) {
    if (ofAll == null) {
      ofAll = failure;
    }
    update();
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
