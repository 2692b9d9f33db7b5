package dev.tutti.host.job;

import dev.tutti.base.idle.Clock;
import java.util.BitSet;

/** Which ranks are in a job: not those that have left it, or are lost. Thread-safe. */
final class JobPresence {

  private final int size;

  /** The ranks that have left in order, and those that are lost. Guarded by itself. */
  private final BitSet left = new BitSet();

  private final BitSet lost = new BitSet();

  /** All ranks are there. */
  JobPresence(int size) {
    this.size = size;
  }

  /** Whether a rank has not left, and is not lost. */
  boolean holds(int rank) {
    synchronized (left) {
      return !left.get(rank);
    }
  }

  boolean hasLost(int rank) {
    synchronized (left) {
      return lost.get(rank);
    }
  }

  /** A rank has left in order. */
  void leave(int rank) {
    synchronized (left) {
      left.set(rank);
      left.notifyAll();
    }
  }

  /** A rank is lost; whether that is news. */
  boolean lose(int rank) {
    synchronized (left) {
      if (lost.get(rank)) {
        return false;
      }
      lost.set(rank);
      left.set(rank);
      left.notifyAll();
      return true;
    }
  }

  /** Waits until no rank is left, or for a time; an interrupt ends the wait and stays set. */
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
