package dev.tutti.cli.terminal;

/**
 * Runs an action if a signal ends the process (SIGINT, SIGTERM) while this is open. The process
 * ends after the action, with the exit code of the signal.
 */
public final class OnInterrupt implements AutoCloseable {

  private final Thread hook;

  /**
   * Waits for signals until this is closed.
   *
   * @param action runs on its own thread, while all other threads keep running
   */
  public OnInterrupt(Runnable action) {
    hook = new Thread(action, "tutti-interrupted");
    try {
      Runtime.getRuntime().addShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The process is ending already.
    }
  }

  @Override
  public void close() {
    try {
      boolean _ = Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The process is ending, and the hook runs.
    }
  }
}
