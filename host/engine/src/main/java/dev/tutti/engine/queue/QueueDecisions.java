package dev.tutti.engine.queue;

import dev.tutti.engine.RankBinding;
import dev.tutti.sdk.TuttiException;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The decisions on what the queues of a process run if their ranks did not bring the same binding.
 * One thread of the process decides once per operation, or the processes of the ranks decide
 * together. Thread-safe.
 */
final class QueueDecisions {

  private final QueueProgress progress;
  private final QueueGate gate;
  private final FailedOperations failures;
  private final OperationSource source;
  private final boolean isShared;
  private final AtomicBoolean isDeciding = new AtomicBoolean();

  /** The last operation that this process has made a proposal for. */
  private long proposed;

  /** The last decision; written before it is announced, and read after that. */
  private @Nullable RankBinding decided;

  /**
   * Starts without decisions.
   *
   * @param isShared whether other processes have to agree
   */
  QueueDecisions(
      QueueProgress progress,
      QueueGate gate,
      FailedOperations failures,
      OperationSource source,
      boolean isShared) {
    this.progress = progress;
    this.gate = gate;
    this.failures = failures;
    this.source = source;
    this.isShared = isShared;
  }

  boolean isDecided(long number) {
    return progress.isDecided(number);
  }

  /** The last decision; null if there is nothing to run, or the operation has failed. */
  @Nullable RankBinding decided() {
    return decided;
  }

  /**
   * Decides an operation, or proposes it, unless another thread is doing that.
   *
   * @return whether it may be decided or have failed now
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

  /** Called by one thread at a time. */
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
   * Announces the binding that ranks in several processes run.
   *
   * @param binding null if there is nothing to run
   */
  void tell(long number, @Nullable RankBinding binding) {
    decided = binding;
    progress.decide(number);
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
    progress.decide(number);
    if (binding != null) {
      gate.open(seen);
    }
  }
}
