package dev.tutti.base.listener;

/** The failure of a listener, which must not harm the work that it listens to. */
public final class ListenerFailure {

  private ListenerFailure() {}

  /** Gives an exception to the current thread's handler of uncaught exceptions, and returns. */
  public static void report(Throwable thrown) {
    Thread thread = Thread.currentThread();
    thread.getUncaughtExceptionHandler().uncaughtException(thread, thrown);
  }
}
