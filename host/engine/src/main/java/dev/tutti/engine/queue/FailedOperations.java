package dev.tutti.engine.queue;

import dev.tutti.sdk.TuttiException;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The operations of a group that end in failure, by their numbers. Thread-safe. */
final class FailedOperations {

  private final TreeMap<Long, TuttiException> failures = new TreeMap<>();
  private @Nullable TuttiException ofAll;

  /** No operation before this one has failed; what queues look at between their tasks. */
  private volatile long first = Long.MAX_VALUE;

  /** Whether an operation may have failed; if not, it has not. */
  boolean mayHold(long number) {
    return number >= first;
  }

  /** The failure of an operation, or null. */
  synchronized @Nullable TuttiException of(long number) {
    TuttiException own = failures.get(number);
    return own == null ? ofAll : own;
  }

  /** Notes a failure, unless the operation has one; tells whether it had none. */
  synchronized boolean add(long number, TuttiException failure) {
    boolean isNew = ofAll == null && failures.putIfAbsent(number, failure) == null;
    update();
    return isNew;
  }

  /** Lets all operations fail from now on that have not ended. */
  synchronized void addAll(TuttiException failure) {
    if (ofAll == null) {
      ofAll = failure;
    }
    update();
  }

  /** Forgets operations that all ranks have left. */
  synchronized void forgetBefore(long number) {
    failures.headMap(number).clear();
    update();
  }

  /** Whether an operation has a failure of its own; takes no lock while none has failed. */
  boolean holds(long number) {
    return mayHold(number) && holdsNow(number);
  }

  private synchronized boolean holdsNow(long number) {
    return failures.containsKey(number);
  }

  /** How many operations have failed; takes no lock while none has. */
  int size() {
    return first == Long.MAX_VALUE ? 0 : sizeNow();
  }

  private synchronized int sizeNow() {
    return failures.size();
  }

  private void update() {
    first =
        ofAll != null ? Long.MIN_VALUE : failures.isEmpty() ? Long.MAX_VALUE : failures.firstKey();
  }
}
