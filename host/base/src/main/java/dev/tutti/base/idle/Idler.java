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

  private static final int MOST_HALVINGS = 4;
  private static final int WAITS_AFTER_SLOW_YIELD = 64;
  private static final int MOST_WAITS_WITHOUT_YIELD = 8192;

  private final Clock clock;
  private final int spins;
  private final long spinNanos;
  private final int yields;
  private final long yieldNanos;
  private final boolean isTimed;
  private final long slowYieldNanos;

  private int spun;
  private int yielded;
  private boolean hasBegun;

  /** When it had spun as often as it should. */
  private long beginNanos;

  /** How often spinning is halved, as it was in vain so many times in a row. */
  private int halvings;

  /** For how many waits it does not yield, as others need the processor. */
  private int waitsWithoutYield;

  /** For how many it will not after the next slow yield; a yield costs a time slice then. */
  private int waitsAfterSlowYield = WAITS_AFTER_SLOW_YIELD;

  private boolean hasParked;

  Idler(IdleStrategy strategy) {
    this.clock = strategy.clock();
    this.spins = strategy.spins();
    this.spinNanos = strategy.spinNanos();
    this.yields = strategy.yields();
    this.yieldNanos = strategy.yieldNanos();
    this.isTimed = spinNanos > 0 || yieldNanos > 0;
    this.slowYieldNanos = strategy.slowYieldNanos();
  }

  /** Begins a wait, or begins it anew because something has happened. */
  public void reset() {
    if (slowYieldNanos > 0) {
      adapt();
    }
    spun = 0;
    yielded = 0;
    hasBegun = false;
  }

  /**
   * Learns from the wait that has ended. What it has learnt counts as long as it does not yield.
   */
  private void adapt() {
    if (hasParked) {
      halvings = Math.min(halvings + 1, MOST_HALVINGS);
      hasParked = false;
    } else if (spun > 0 && yielded == 0) {
      halvings = 0;
    }
    if (waitsWithoutYield == 0 || --waitsWithoutYield == 0) {
      halvings = 0;
      if (yielded > 0) {
        waitsAfterSlowYield = Math.max(waitsAfterSlowYield / 2, WAITS_AFTER_SLOW_YIELD);
      }
    }
  }

  /**
   * Passes the time between two looks: spins once, or yields once. Where it is time to park, it
   * does nothing: the waiter parks.
   *
   * @return the phase that the wait is in
   */
  public IdlePhase idle() {
    if (spun < spins >> halvings) {
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
    if (waitsWithoutYield == 0 && (yielded < yields || nanos - spinNanos < yieldNanos)) {
      yielded += yielded < yields ? 1 : 0;
      if (slowYieldNanos == 0) {
        Thread.yield();
      } else {
        yieldAndLook();
      }
      return IdlePhase.YIELD;
    }
    hasParked = true;
    return IdlePhase.PARK;
  }

  @SuppressWarnings("ThreadPriorityCheck") // a hint; progress does not depend on it
  private void yieldAndLook() {
    long before = clock.nanoTime();
    Thread.yield();
    if (clock.nanoTime() - before > slowYieldNanos) {
      waitsWithoutYield = waitsAfterSlowYield;
      waitsAfterSlowYield = Math.min(2 * waitsAfterSlowYield, MOST_WAITS_WITHOUT_YIELD);
    }
  }
}
