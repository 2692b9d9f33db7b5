package dev.tutti.base.idle;

import java.util.concurrent.TimeUnit;

/**
 * How the threads of a host wait: the clock, and the idle strategies of all waiters. Immutable.
 *
 * <p>A thread spins only if a core is free for the threads that it waits for. If there are more
 * threads than processors, spinning keeps them from their work, so the thread begins with yielding.
 *
 * @param clock the clock of all waiters
 * @param processors the number of threads that can run at the same time
 */
public record Waiting(Clock clock, int processors) {

  /** The longest sleep of a waiter that is not woken up, which bounds its delay. */
  public static final long PARK_NANOS = TimeUnit.MICROSECONDS.toNanos(50);

  /** Chosen for a caller whose work makes the time between two polls some 100 ns. */
  private static final int CALLER_SPINS = 256;

  private static final int CALLER_YIELDS = 50;

  /** The caller reads only one word, so its polls are very short. */
  private static final int MEETING_SPINS = 200;

  /**
   * The yields are counted, unlike those of the engine, and timed only if a core is free: ranks on
   * virtual threads take turns on few processors, and each turn, however long, advances ranks that
   * have not arrived yet.
   */
  private static final int MEETING_YIELDS = 50;

  /**
   * A few times the time to wake a parked thread. A rank that parks sooner makes the others wait
   * for its wake-up, so that they park, too, and then no two of them work at the same time.
   */
  private static final long MEETING_YIELD_NANOS = TimeUnit.MICROSECONDS.toNanos(300);

  /**
   * Longer than another rank usually works before it waits, too, even with some MiB, and shorter
   * than the time slice of a process that has work.
   */
  private static final long SLOW_YIELD_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  /**
   * MPI moves messages only while a thread polls it, and a message of 4 MiB takes milliseconds. A
   * thread that parks meanwhile delays the messages.
   */
  private static final long MESSAGE_YIELD_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private static final long BARRIER_YIELD_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  /**
   * These spins take less time than giving up a list and finding another one. After them, the
   * thread should do other work.
   */
  private static final int LIST_SPINS = 64;

  /** The clock and the strategies of this machine. */
  public static Waiting system() {
    return new Waiting(Clock.system(), Runtime.getRuntime().availableProcessors());
  }

  /** Whether a number of threads, including the waiting one, can run at the same time. */
  public boolean hasFreeCore(int threads) {
    return Math.max(2, threads) <= processors;
  }

  /**
   * The strategy of an engine's helper without work. It is timed, because its work between two
   * polls depends on the current runs.
   *
   * @param workers the threads that may work on one run
   */
  public IdleStrategy helper(int workers, long spinNanos, long yieldNanos) {
    return new IdleStrategy(clock, 0, hasFreeCore(workers) ? spinNanos : 0, 0, yieldNanos);
  }

  /**
   * The strategy of a caller that waits for the helpers of its run. It does not read the clock at
   * first, because most waits end soon.
   *
   * @param workers the threads that may work on one run
   */
  public IdleStrategy caller(int workers, long yieldNanos) {
    return new IdleStrategy(clock, hasFreeCore(workers) ? CALLER_SPINS : 0, 0, 0, yieldNanos);
  }

  /**
   * The strategy of a caller that waits until a helper has left the previous run. The helper only
   * checks a few queues before it leaves, unless it has lost its processor.
   *
   * @param workers the threads that may work on one run
   */
  public IdleStrategy seat(int workers) {
    return new IdleStrategy(clock, hasFreeCore(workers) ? CALLER_SPINS : 0, 0, CALLER_YIELDS, 0);
  }

  /**
   * The strategy of a rank that waits for the others. It parks until it is woken up. If there are
   * more ranks than processors, it may spin only while no other rank needs its processor; see
   * {@link Idler#idle(boolean)}.
   *
   * @param ranks the number of ranks that meet
   */
  public IdleStrategy meeting(int ranks) {
    boolean hasFreeCore = hasFreeCore(ranks);
    return new IdleStrategy(
        clock,
        MEETING_SPINS,
        0,
        MEETING_YIELDS,
        hasFreeCore ? MEETING_YIELD_NANOS : 0,
        SLOW_YIELD_NANOS);
  }

  /**
   * The strategy of a rank that waits for messages. No thread wakes it, so it keeps polling.
   *
   * @param ranks the number of ranks that share the processors
   */
  public IdleStrategy messages(int ranks) {
    return new IdleStrategy(
        clock, hasFreeCore(ranks) ? MEETING_SPINS : 0, 0, MEETING_YIELDS, MESSAGE_YIELD_NANOS);
  }

  /**
   * The strategy of a thread at a barrier that all others reach soon, and that all should leave
   * together. It parks late, because a thread that must be woken leaves tens of microseconds after
   * the others.
   *
   * @param threads the number of threads that meet
   */
  public IdleStrategy barrier(int threads) {
    return new IdleStrategy(
        clock, hasFreeCore(threads) ? MEETING_SPINS : 0, 0, 0, BARRIER_YIELD_NANOS);
  }

  /** How often a thread checks whether its list can continue before it gives the list up. */
  public int listLooks() {
    return hasFreeCore(2) ? LIST_SPINS : 1;
  }
}
