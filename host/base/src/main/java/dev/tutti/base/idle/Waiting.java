package dev.tutti.base.idle;

import java.util.concurrent.TimeUnit;

/**
 * How the threads of a host wait: the clock, and the idle strategies of all waiters. Immutable.
 *
 * <p>A thread spins only where a core is free for the threads that it waits for. Where there are
 * more of them than processors, it keeps them from their work as long as it spins, so it begins
 * with yielding.
 *
 * @param clock what all of them go by
 * @param processors how many threads can run at the same time
 */
public record Waiting(Clock clock, int processors) {

  /** Longest sleep of a waiter that nobody wakes up: what it takes to see the end late. */
  public static final long PARK_NANOS = TimeUnit.MICROSECONDS.toNanos(50);

  /** Fits the work between two looks, which makes each some 100 ns long. */
  private static final int CALLER_SPINS = 256;

  private static final int CALLER_YIELDS = 50;

  /** The caller looks at one word only, so its looks are as short as they can be. */
  private static final int MEETING_SPINS = 200;

  /**
   * Counted, unlike those of the engine, and more only where a core is free: ranks on virtual
   * threads take turns on few processors, and each turn brings those forward that have yet to
   * arrive, however long it takes.
   */
  private static final int MEETING_YIELDS = 50;

  /**
   * A few times what it takes to wake a thread that is parked. A rank that parks sooner makes the
   * others wait for its wake-up, so that they park, too, and then no two of them work at the same
   * time.
   */
  private static final long MEETING_YIELD_NANOS = TimeUnit.MICROSECONDS.toNanos(300);

  /**
   * Far longer than a switch to another rank that waits, and shorter than the time slice of a
   * process that has work to do.
   */
  private static final long SLOW_YIELD_NANOS = TimeUnit.MICROSECONDS.toNanos(200);

  /**
   * MPI moves messages only while a thread polls it, and one of 4 MiB takes milliseconds. A thread
   * that parks meanwhile delays them.
   */
  private static final long MESSAGE_YIELD_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private static final long BARRIER_YIELD_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  /**
   * Less than what it costs to give up a list, and to find and take another one; after that the
   * thread has better things to do.
   */
  private static final int LIST_SPINS = 64;

  /** On this machine. */
  public static Waiting system() {
    return new Waiting(Clock.system(), Runtime.getRuntime().availableProcessors());
  }

  /** Whether so many threads, the waiting one included, can run at the same time. */
  public boolean hasFreeCore(int threads) {
    return Math.max(2, threads) <= processors;
  }

  /**
   * Of an engine's helper without work. It goes by time: what it does between two looks depends on
   * the runs that are under way.
   *
   * @param workers the threads that may work on one run
   */
  public IdleStrategy helper(int workers, long spinNanos, long yieldNanos) {
    return new IdleStrategy(clock, 0, hasFreeCore(workers) ? spinNanos : 0, 0, yieldNanos);
  }

  /**
   * Of a caller that waits for the helpers of its run. It does not look at the clock at first, as
   * most waits end soon.
   *
   * @param workers the threads that may work on one run
   */
  public IdleStrategy caller(int workers, long yieldNanos) {
    return new IdleStrategy(clock, hasFreeCore(workers) ? CALLER_SPINS : 0, 0, 0, yieldNanos);
  }

  /**
   * Of a caller that waits until a helper has left the run before. That takes a look at a few
   * queues, unless the helper has lost its processor on the way.
   *
   * @param workers the threads that may work on one run
   */
  public IdleStrategy seat(int workers) {
    return new IdleStrategy(clock, hasFreeCore(workers) ? CALLER_SPINS : 0, 0, CALLER_YIELDS, 0);
  }

  /**
   * Of a rank that waits for the others. It parks until it is woken up.
   *
   * @param ranks how many meet
   */
  public IdleStrategy meeting(int ranks) {
    boolean hasFreeCore = hasFreeCore(ranks);
    return new IdleStrategy(
        clock,
        hasFreeCore ? MEETING_SPINS : 0,
        0,
        MEETING_YIELDS,
        hasFreeCore ? MEETING_YIELD_NANOS : 0,
        SLOW_YIELD_NANOS);
  }

  /**
   * How a rank waits for messages. Nobody wakes it, so it keeps asking.
   *
   * @param ranks how many share the processors
   */
  public IdleStrategy messages(int ranks) {
    return new IdleStrategy(
        clock, hasFreeCore(ranks) ? MEETING_SPINS : 0, 0, MEETING_YIELDS, MESSAGE_YIELD_NANOS);
  }

  /**
   * Of a thread at a barrier that all others reach soon, and which they should leave together. It
   * parks late, as a thread that must be woken leaves tens of microseconds after the others.
   *
   * @param threads how many meet
   */
  public IdleStrategy barrier(int threads) {
    return new IdleStrategy(
        clock, hasFreeCore(threads) ? MEETING_SPINS : 0, 0, 0, BARRIER_YIELD_NANOS);
  }

  /** How often a thread looks whether the list that it holds may go on before it gives it up. */
  public int listLooks() {
    return hasFreeCore(2) ? LIST_SPINS : 1;
  }
}
