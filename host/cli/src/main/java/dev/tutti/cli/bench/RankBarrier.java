package dev.tutti.cli.bench;

import dev.tutti.base.idle.Clock;
import dev.tutti.base.idle.IdlePhase;
import dev.tutti.base.idle.Idler;
import dev.tutti.base.idle.Waiting;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Where the threads of ranks wait for each other outside of what is timed. They leave it together,
 * as far as the machine can: a thread that waits for less than a millisecond need not be woken.
 * What a thread wrote before it came is seen by all when they have left. Waiting allocates nothing.
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

  /** How a thread waits here; each has its own. */
  Idler newIdler() {
    return waiting.barrier(threads).newIdler();
  }

  /**
   * Waits until all threads have arrived.
   *
   * @return false if one of them will not come
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
   * A thread will not come any more. Threads that all others have met already go on: they find out
   * in their next wait for it.
   */
  void leave() {
    isBroken = true;
  }
}
