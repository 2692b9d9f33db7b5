package dev.tutti.engine.queue;

import dev.tutti.engine.RankBinding;
import dev.tutti.sdk.TuttiException;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * What the queues of a process run where their ranks did not bring the same: found out once for an
 * operation, by one thread of the process, or by the processes of the ranks together. Thread-safe.
 */
final class QueueDecisions {

  private final QueueProgress progress;
  private final QueueGate gate;
  private final FailedOperations failures;
  private final QueueRunner.Source source;
  private final boolean isShared;
  private final AtomicBoolean isDeciding = new AtomicBoolean();

  /** The last operation that this process has made a proposal for. */
  private long proposed;

  /** What was decided last; written before, and read after, the decision is told. */
  private @Nullable RankBinding decided;

  /**
   * Nothing is decided.
   *
   * @param isShared whether other processes have to agree
   */
  QueueDecisions(
      QueueProgress progress,
      QueueGate gate,
      FailedOperations failures,
      QueueRunner.Source source,
      boolean isShared) {
    this.progress = progress;
    this.gate = gate;
    this.failures = failures;
    this.source = source;
    this.isShared = isShared;
  }

  boolean isDecided(long number) {
    return progress.hasReached(progress.decisions(), QueueProgress.entry(number));
  }

  /** What was decided last; null if there is nothing to run, or it has failed. */
  @Nullable RankBinding decided() {
    return decided;
  }

  /**
   * Has an operation decided, unless somebody else is at it.
   *
   * @return whether it is decided or has failed now, or may be
   */
  boolean seek(long number) {
    if (!isDeciding.compareAndSet(false, true)) {
      return false;
    }
    try {
      if (!isDecided(number)) {
        if (isShared) {
          findOrPropose(number);
        } else {
          agree(number);
        }
      }
    } finally {
      isDeciding.set(false);
    }
    return !isShared || isDecided(number);
  }

  /** By one thread at a time. */
  private void findOrPropose(long number) {
    if (proposed == number) {
      return;
    }
    proposed = number;
    try {
      RankBinding known = source.known(number);
      if (known == null) {
        source.propose(number);
      } else {
        tell(number, known);
      }
    } catch (Throwable t) {
      failures.add(number, source.failed(number, t));
    }
  }

  /**
   * Tells what ranks in several processes run.
   *
   * @param binding null if there is nothing to run
   */
  void tell(long number, @Nullable RankBinding binding) {
    decided = binding;
    progress.tell(progress.decisions(), QueueProgress.entry(number));
    VarHandle.fullFence();
  }

  private void agree(long number) {
    QueueGate.State seen = gate.state();
    RankBinding binding = null;
    try {
      binding = source.agree(number);
      decided = binding;
    } catch (TuttiException e) {
      failures.add(number, e);
    } catch (Throwable t) {
      failures.add(number, source.failed(number, t));
    }
    progress.tell(progress.decisions(), QueueProgress.entry(number));
    if (binding != null) {
      gate.open(seen);
    }
  }
}
