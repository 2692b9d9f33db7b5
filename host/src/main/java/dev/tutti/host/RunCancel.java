package dev.tutti.host;

import dev.tutti.host.engine.Cancellation;

/**
 * Ends one run of a request, and not the next one. Runs are numbered; who cancels names the number
 * that it sees. The number grows before the request takes its group's slot, so whoever sees the
 * request in the slot also sees at least the number of that run.
 */
final class RunCancel implements Cancellation {

  private long number;
  private volatile long cancelled = -1;

  /** The number of the run under way, for those who have seen the request in the slot. */
  long number() {
    return number;
  }

  /** Called before the slot is taken, by the thread that runs the request. */
  void nextRun() {
    number++;
  }

  /** Called by any thread that has seen the request in the slot. */
  void request() {
    cancelled = number;
  }

  @Override
  public boolean isRequested() {
    return cancelled == number;
  }
}
