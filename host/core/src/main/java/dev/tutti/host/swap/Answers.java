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

/**
 * The processes that have not answered yet in a change of plugins, and the first refusal or
 * failure. Thread-safe.
 */
final class Answers {

  private final IntFunction<String> names;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition isNew = lock.newCondition();
  private final TreeSet<Integer> missing = new TreeSet<>();
  private @Nullable Veto veto;
  private @Nullable TuttiException failure;

  /**
   * Starts with no open question.
   *
   * @param names gives the name of a process in messages
   */
  Answers(IntFunction<String> names) {
    this.names = names;
  }

  /** Expects an answer from each of these processes; there is one question at a time. */
  void expect(Collection<Integer> processes) {
    lock.lock();
    try {
      missing.addAll(processes);
    } finally {
      lock.unlock();
    }
  }

  /** Notes that a process has answered, or has left the job and need not answer. */
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
   * Waits until all processes have answered, or one refuses.
   *
   * @return the first refusal; null if no process refuses
   * @throws TuttiException with {@link ErrorCode#DEADLINE_EXCEEDED}; {@link ErrorCode#INTERRUPTED};
   *     {@link ErrorCode#PEER_LOST} if one of the processes cannot answer
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
