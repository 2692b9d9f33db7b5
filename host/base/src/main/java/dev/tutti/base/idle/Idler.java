package dev.tutti.base.idle;

/**
 * The state of one waiting thread with its {@link IdleStrategy}. A waiter keeps it for all its
 * waits, so waiting allocates nothing. Not thread-safe.
 *
 * {@snippet :
 * idler.reset();
 * while (!isOver) {
 *   if (idler.idle() == IdlePhase.PARK) {
 *     clock.park(this, nanos); // each waiter parks in its own way, because it knows what wakes it up
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

  /** The time at which the counted spins were done. */
  private long beginNanos;

  /** How often the spins are halved: once for each wait in a row that spinning did not help. */
  private int halvings;

  /** The number of coming waits that do not yield, because other threads need the processor. */
  private int waitsWithoutYield;

  /**
   * The number of waits without a yield after the next slow yield. A slow yield costs a time slice.
   */
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

  /** Begins a wait, or begins it again because something has happened. */
  public void reset() {
    if (slowYieldNanos > 0) {
      adapt();
    }
    spun = 0;
    yielded = 0;
    hasBegun = false;
  }

  /**
   * Adapts to the wait that has ended. Spins stay halved only as long as the thread does not yield.
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
   * Passes the time between two polls: spins once, or yields once. If it is time to park, it does
   * nothing, and the waiter parks.
   *
   * @return the phase that the wait is in
   */
  public IdlePhase idle() {
    return idle(true);
  }

  /**
   * As {@link #idle()}, for a waiter that knows whether what it waits for can happen while it
   * spins.
   *
   * @param isSpinning whether it may spin; if not, it yields at once
   */
  public IdlePhase idle(boolean isSpinning) {
    if (isSpinning && spun < spins >> halvings) {
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
