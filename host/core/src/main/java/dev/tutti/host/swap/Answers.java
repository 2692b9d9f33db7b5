package dev.tutti.host.swap;

import dev.tutti.plugin.live.Followers.Veto;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.util.Collection;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Which processes have yet to answer in a change, and what is in its way. Thread-safe. */
final class Answers {

  private final IntFunction<String> names;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition isNew = lock.newCondition();
  private final TreeSet<Integer> missing = new TreeSet<>();
  private @Nullable Veto veto;
  private @Nullable TuttiException failure;

  /**
   * No process was asked so far.
   *
   * @param names gives a process's name in messages
   */
  Answers(IntFunction<String> names) {
    this.names = names;
  }

  /** All of these are asked something, one question at a time. */
  void expect(Collection<Integer> processes) {
    lock.lock();
    try {
      missing.addAll(processes);
    } finally {
      lock.unlock();
    }
  }

  /** A process has answered, or has left and need not. */
  void add(int process) {
    change(() -> missing.remove(process));
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
            "some processes were not ready for a change of plugins within %d ms: %s",
            TimeUnit.NANOSECONDS.toMillis(patienceNanos),
            missing.stream().map(names::apply).collect(Collectors.joining(", ")));
      }
      return veto;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TuttiException(
          ErrorCode.INTERRUPTED,
          e,
          "the wait for the others was interrupted during a change of plugins");
    } finally {
      lock.unlock();
    }
  }
}
