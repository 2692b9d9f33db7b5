package dev.tutti.cli.bench;

import dev.tutti.base.idle.Clock;
import dev.tutti.base.idle.IdlePhase;
import dev.tutti.base.idle.Idler;
import dev.tutti.base.idle.Waiting;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A barrier for the threads of ranks, outside timed code. They leave it together, as far as the
 * machine allows: a thread that waits for less than a millisecond spins or yields, and so need not
 * be woken. Writes of a thread before it arrives are visible to all threads after they leave.
 * Waiting allocates nothing.
 */
final class RankBarrier {

  private final AtomicInteger missing;
  private final int threads;
  private final Waiting waiting;
  private volatile int round;
  private volatile boolean isBroken;

  /** A barrier for a number of threads. */
  RankBarrier(int threads, Waiting waiting) {
    this.threads = threads;
    this.waiting = waiting;
    this.missing = new AtomicInteger(threads);
  }

  /** The idle state of a waiting thread; each thread has its own. */
  Idler newIdler() {
    return waiting.barrier(threads).newIdler();
  }

  /**
   * Waits until all threads have arrived.
   *
   * @return false if one of them will not arrive
   */
  boolean await(Idler idler) {
    int own = round;
    if (missing.decrementAndGet() == 0) {
      missing.set(threads);
      round = own + 1;
      return true;
    }
    Clock clock = waiting.clock();
    idler.reset();
    while (round == own) {
      if (isBroken) {
        return false;
      }
      if (idler.idle() == IdlePhase.PARK) {
        clock.park(this, Waiting.PARK_NANOS);
      }
    }
    return true;
  }

  /**
   * Records that a thread will no longer arrive. Threads that have already passed the barrier
   * continue, and their next wait returns false.
   */
  void leave() {
    isBroken = true;
  }
}
