package dev.tutti.base.idle;

/**
 * How far one waiting thread is with its {@link IdleStrategy}. A waiter keeps it for all its waits:
 * waiting allocates nothing. Not thread-safe.
 *
 * {@snippet :
 * idler.reset();
 * while (!isOver) {
 *   if (idler.idle() == IdlePhase.PARK) {
 *     clock.park(this, nanos); // in the way of the waiter, which knows what wakes it up
 *   }
 * }
 * }
 */
public final class Idler {

  private final Clock clock;
  private final int spins;
  private final long spinNanos;
  private final int yields;
  private final long yieldNanos;
  private final boolean isTimed;

  private int spun;
  private int yielded;
  private boolean hasBegun;

  /** When it had spun as often as it should. */
  private long beginNanos;

  Idler(IdleStrategy strategy) {
    this.clock = strategy.clock();
    this.spins = strategy.spins();
    this.spinNanos = strategy.spinNanos();
    this.yields = strategy.yields();
    this.yieldNanos = strategy.yieldNanos();
    this.isTimed = spinNanos > 0 || yieldNanos > 0;
  }

  /** Begins a wait, or begins it anew because something has happened. */
  public void reset() {
    spun = 0;
    yielded = 0;
    hasBegun = false;
  }

  /**
   * Passes the time between two looks: spins once, or yields once. Where it is time to park, it
   * does nothing: the waiter parks.
   *
   * @return the phase that the wait is in
   */
  public IdlePhase idle() {
    if (spun < spins) {
      spun++;
      Thread.onSpinWait();
      return IdlePhase.SPIN;
    }
    return isTimed ? idleFor(elapsedNanos()) : idleFor(0);
  }

  private long elapsedNanos() {
    long now = clock.nanoTime();
    if (!hasBegun) {
      hasBegun = true;
      beginNanos = now;
    }
    return now - beginNanos;
  }

  @SuppressWarnings("ThreadPriorityCheck") // a hint; progress does not depend on it
  private IdlePhase idleFor(long nanos) {
    if (nanos < spinNanos) {
      Thread.onSpinWait();
      return IdlePhase.SPIN;
    }
    if (yielded < yields || nanos - spinNanos < yieldNanos) {
      yielded += yielded < yields ? 1 : 0;
      Thread.yield();
      return IdlePhase.YIELD;
    }
    return IdlePhase.PARK;
  }
}
