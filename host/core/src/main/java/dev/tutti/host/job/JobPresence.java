package dev.tutti.host.job;

import dev.tutti.base.idle.Clock;
import java.util.BitSet;

/** Which processes are in a job: not those that have left it, or are lost. Thread-safe. */
final class JobPresence {

  private final int size;

  /** Those that have left in order or are lost. Guarded by itself. */
  private final BitSet left = new BitSet();

  private final BitSet lost = new BitSet();

  /** All are there. */
  JobPresence(int size) {
    this.size = size;
  }

  /** Whether a process has not left, and is not lost. */
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

  /** A process has left in order. */
  void leave(int process) {
    synchronized (left) {
      left.set(process);
      left.notifyAll();
    }
  }

  /** A process is lost; whether that is news. */
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

  /** Waits until none is left, or for a time; an interrupt ends the wait and stays set. */
  void awaitNone(Clock clock, long patienceNanos) {
    long end = clock.nanoTime() + patienceNanos;
    synchronized (left) {
      try {
        while (left.cardinality() < size && end - clock.nanoTime() > 0) {
          left.wait(1 + (end - clock.nanoTime()) / 1_000_000);
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
