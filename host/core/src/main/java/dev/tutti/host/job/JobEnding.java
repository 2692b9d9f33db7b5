package dev.tutti.host.job;

import org.jspecify.annotations.Nullable;

/** The request of a process that the programs of all processes of its job end. Thread-safe. */
public final class JobEnding {

  private final Runnable teller;
  private @Nullable Runnable listener;
  private boolean isRequested;

  /**
   * Without a request.
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
