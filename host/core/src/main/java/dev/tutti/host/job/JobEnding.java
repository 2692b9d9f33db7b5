package dev.tutti.host.job;

import org.jspecify.annotations.Nullable;

/** A request by one process to end the programs of all processes of the job. Thread-safe. */
public final class JobEnding {

  private final Runnable teller;
  private @Nullable Runnable listener;
  private boolean isRequested;

  /**
   * Starts without a request.
   *
   * @param teller sends the request to all other processes
   */
  JobEnding(Runnable teller) {
    this.teller = teller;
  }

  /** Asks the programs of all other processes to end. */
  public void request() {
    teller.run();
  }

  /** Sets the listener, which gets the first request of another process even if it came earlier. */
  public void listen(Runnable newListener) {
    boolean isLate;
    synchronized (this) {
      isLate = isRequested;
      listener = newListener;
    }
    if (isLate) {
      newListener.run();
    }
  }

  /** Handles the request of another process. */
  void isRequested() {
    Runnable hearer;
    synchronized (this) {
      hearer = isRequested ? null : listener;
      isRequested = true;
    }
    if (hearer != null) {
      hearer.run();
    }
  }
}
