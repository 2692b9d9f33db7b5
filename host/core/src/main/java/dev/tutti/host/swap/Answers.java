package dev.tutti.host.swap;

import dev.tutti.plugin.live.Followers.Veto;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.util.Collection;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Which processes have yet to answer in a change, and what is in its way. Thread-safe. */
final class Answers {

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition isNew = lock.newCondition();
  private final TreeSet<Integer> missing = new TreeSet<>();
  private @Nullable Veto veto;
  private @Nullable TuttiException failure;

  /** All of these are asked something, one question at a time. */
  void expect(Collection<Integer> ranks) {
    lock.lock();
    try {
      missing.addAll(ranks);
    } finally {
      lock.unlock();
    }
  }

  /** A rank has answered, or has left and need not. */
  void add(int rank) {
    change(() -> missing.remove(rank));
  }

  void refuse(Veto found) {
    change(() -> veto = veto == null ? found : veto);
  }

  void fail(TuttiException found) {
    change(() -> failure = failure == null ? found : failure);
  }

  private void change(Runnable step) {
    lock.lock();
    try {
      step.run();
      isNew.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits until all have answered, or one refuses.
   *
   * @return who refuses; null if nobody does
   * @throws TuttiException with {@link ErrorCode#DEADLINE_EXCEEDED}; {@link ErrorCode#INTERRUPTED};
   *     {@link ErrorCode#PEER_LOST} if one of them cannot answer
   */
  @Nullable Veto await(long patienceNanos) {
    lock.lock();
    try {
      long left = patienceNanos;
      while (veto == null && failure == null && !missing.isEmpty() && left > 0) {
        left = isNew.awaitNanos(left);
      }
      if (failure != null) {
        throw new TuttiException(failure.code(), failure, "%s", failure.getMessage());
      }
      if (veto == null && !missing.isEmpty()) {
        throw new TuttiException(
            ErrorCode.DEADLINE_EXCEEDED,
            "ranks %s have not got ready for a change of plugins within %d ms",
            missing,
            TimeUnit.NANOSECONDS.toMillis(patienceNanos));
      }
      return veto;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TuttiException(
          ErrorCode.INTERRUPTED,
          e,
          "the wait for the others was interrupted in a change of plugins");
    } finally {
      lock.unlock();
    }
  }
}
