package dev.tutti.host.job;

import dev.tutti.base.idle.Clock;
import java.util.BitSet;
import java.util.function.BooleanSupplier;

/** The processes that are in a job: those that have neither left it nor been lost. Thread-safe. */
final class JobPresence {

  private final int size;

  /** The processes that have left regularly or are lost. Guarded by itself. */
  private final BitSet left = new BitSet();

  private final BitSet lost = new BitSet();

  /** Starts with all processes present. */
  JobPresence(int size) {
    this.size = size;
  }

  /** Whether a process has neither left nor been lost. */
  boolean holds(int process) {
    synchronized (left) {
      return !left.get(process);
    }
  }

  boolean hasLost(int process) {
    synchronized (left) {
      return lost.get(process);
    }
  }

  /** Notes that a process has left regularly. */
  void leave(int process) {
    synchronized (left) {
      left.set(process);
      left.notifyAll();
    }
  }

  /** Notes that a process is lost; returns whether this is new. */
  boolean lose(int process) {
    synchronized (left) {
      if (lost.get(process)) {
        return false;
      }
      lost.set(process);
      left.set(process);
      left.notifyAll();
      return true;
    }
  }

  /**
   * Waits, for a limited time, until no process is in the job. An interrupt ends the wait and stays
   * set.
   */
  void awaitNone(Clock clock, long patienceNanos) {
    await(() -> left.cardinality() == size, clock, patienceNanos);
  }

  /** Waits in the same way until a process has left, or any process is lost. */
  void awaitLossOrLeave(int process, Clock clock, long patienceNanos) {
    await(() -> left.get(process) || !lost.isEmpty(), clock, patienceNanos);
  }

  private void await(BooleanSupplier isOver, Clock clock, long patienceNanos) {
    long end = clock.nanoTime() + patienceNanos;
    synchronized (left) {
      try {
        while (!isOver.getAsBoolean() && end - clock.nanoTime() > 0) {
          left.wait(1 + (end - clock.nanoTime()) / 1_000_000);
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
