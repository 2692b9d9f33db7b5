package dev.tutti.cli.terminal;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Ends a command in order when the process gets a signal to end (SIGTERM, SIGINT). The exit code is
 * then the command's, not the signal's.
 */
public final class EndOfProcess implements AutoCloseable {

  private static final long PATIENCE_SECONDS = 60;

  private final Runnable stop;
  private final CountDownLatch isOver = new CountDownLatch(1);
  private final Thread hook = new Thread(this::end, "tutti-end");
  private volatile @Nullable Integer exitCode;

  /**
   * Waits for signals until this is closed.
   *
   * @param stop makes the command end
   */
  public EndOfProcess(Runnable stop) {
    this.stop = stop;
    Runtime.getRuntime().addShutdownHook(hook);
  }

  private void end() {
    stop.run();
    try {
      boolean isInOrder = isOver.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
      Integer code = exitCode;
      now(isInOrder && code != null ? code : ExitCode.FAILED);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Ends the process at once, whatever its threads and hooks are doing. */
  public void now(int code) {
    // Other hooks do not finish; a host has none except those of the JDK's tools.
    Runtime.getRuntime().halt(code);
  }

  /** Records that the command succeeded; without this call, it counts as failed. */
  public void succeeded() {
    exitCode = ExitCode.OK;
  }

  /** Ends the wait for signals, when the command is over. */
  @Override
  public void close() {
    isOver.countDown();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The process is already ending, and the hook ends it with the exit code.
    }
  }
}
