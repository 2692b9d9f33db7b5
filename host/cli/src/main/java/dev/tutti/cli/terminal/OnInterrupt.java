package dev.tutti.cli.terminal;

/**
 * Does something when the process is told to end (SIGINT, SIGTERM) while this is open. The process
 * ends when that is done, with the exit code of the signal.
 */
public final class OnInterrupt implements AutoCloseable {

  private final Thread hook;

  /**
   * Waits for signals until this is closed.
   *
   * @param action runs in a thread of its own, while all others go on
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
      // The process is ending, and the hook is at work.
    }
  }
}
