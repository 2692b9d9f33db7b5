package dev.tutti.host.group;

import dev.tutti.engine.Cancellation;

/**
 * Cancels one run of a request, and never the next one. Runs are numbered, and a thread that
 * cancels stores the number that it sees. The number is incremented before the request takes its
 * group's slot, so a thread that sees the request in the slot sees the number of that run or a
 * later one.
 */
final class RunCancel implements Cancellation {

  private static final int CELL = 16;
  private static final long NEVER = -1;

  /** In a separate cache line, because each run changes it and the helpers do not read it. */
  private final long[] number = new long[2 * CELL];

  private volatile long cancelled = NEVER;

  /** The number of the current run, for a thread that has seen the request in the slot. */
  long number() {
    return number[CELL];
  }

  /** Called by the thread that runs the request, before it takes the slot. */
  void nextRun() {
    number[CELL]++;
  }

  /** Called by any thread that has seen the request in the slot. */
  void request() {
    cancelled = number[CELL];
  }

  @Override
  public boolean isRequested() {
    long asked = cancelled;
    return asked != NEVER && asked == number[CELL];
  }
}
