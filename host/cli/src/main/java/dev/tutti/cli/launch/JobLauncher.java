package dev.tutti.cli.launch;

import dev.tutti.base.idle.Clock;
import dev.tutti.cli.terminal.ExitCode;
import dev.tutti.cli.terminal.Terminal;
import dev.tutti.host.Rte;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Runs a command with a process for each rank, and waits for all of them. The first rank's output
 * is the command's; that of the others has their names in front. When this process is to end, so
 * are they; when one fails, the others get some time to say what they know of it.
 */
public final class JobLauncher {

  private static final Clock CLOCK = Clock.system();
  private static final int TOKEN_BYTES = 16;
  private static final long GRACE_SECONDS = 10;
  private static final long GRACE_OF_SIGNALS_SECONDS = 5;

  /** A process that was ended by a signal has this and the signal's number as its exit code. */
  private static final int SIGNALLED = 128;

  private final Terminal terminal;

  public JobLauncher(Terminal terminal) {
    this.terminal = terminal;
  }

  /**
   * Runs a command.
   *
   * @param ranks the number of ranks, 1 to 64
   * @param arguments of each process
   * @return the exit code of the first rank that failed; 0 if none did
   */
  public int run(int ranks, List<String> arguments) {
    if (ranks > Rte.MAX_PROCESSES) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT,
          "--processes starts at most %d ranks. Actual: %d; leave it out, or take fewer ranks",
          Rte.MAX_PROCESSES,
          ranks);
    }
    return run(ranks, RankCommand.of(arguments));
  }

  int run(int ranks, RankCommand command) {
    byte[] token = new byte[TOKEN_BYTES];
    new SecureRandom().nextBytes(token);
    List<RankProcess> processes = new ArrayList<>();
    try (JobDirectory directory = JobDirectory.make()) {
      Thread ender = new Thread(() -> end(processes), "tutti-job-end");
      Runtime.getRuntime().addShutdownHook(ender);
      try {
        String text = HexFormat.of().formatHex(token);
        for (int rank = 0; rank < ranks; rank++) {
          RankProcess started =
              RankProcess.start(
                  command.builder(rank, ranks, directory.path(), text), rank, terminal);
          synchronized (processes) {
            processes.add(started);
          }
        }
        return await(processes);
      } catch (IOException e) {
        throw new TuttiException(
            ErrorCode.OUTPUT_UNWRITABLE, e, "a process cannot be started: %s", e.getMessage());
      } finally {
        end(processes);
        removeHook(ender);
      }
    }
  }

  private static void removeHook(Thread ender) {
    try {
      boolean ignored = Runtime.getRuntime().removeShutdownHook(ender);
    } catch (IllegalStateException e) {
      // This process is on its way out, and the hook at work.
    }
  }

  /** Waits for all; the others get some time when one has failed. */
  private int await(List<RankProcess> processes) {
    CompletableFuture<RankProcess> firstFailure = new CompletableFuture<>();
    List<CompletableFuture<?>> ends = new ArrayList<>();
    for (RankProcess each : processes) {
      ends.add(
          each.end()
              .thenAccept(
                  exitCode -> {
                    if (exitCode != ExitCode.OK) {
                      firstFailure.complete(each);
                    }
                  }));
    }
    CompletableFuture<Void> all = CompletableFuture.allOf(ends.toArray(CompletableFuture[]::new));
    try {
      CompletableFuture.anyOf(all, firstFailure).get();
      if (firstFailure.isDone()) {
        all.get(GRACE_SECONDS, TimeUnit.SECONDS);
      }
    } catch (TimeoutException e) {
      tellStragglers(processes);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    }
    RankProcess failed = firstFailure.getNow(null);
    if (failed == null) {
      return ExitCode.OK;
    }
    int exitCode = failed.end().join();
    if (exitCode > SIGNALLED) {
      terminal
          .err()
          .println(
              "tutti: "
                  + failed
                  + " was killed by signal "
                  + (exitCode - SIGNALLED)
                  + ", or ended with exit code "
                  + exitCode);
    }
    return exitCode;
  }

  private void tellStragglers(List<RankProcess> processes) {
    for (RankProcess each : processes) {
      if (each.isAlive()) {
        terminal
            .err()
            .println(
                "tutti: "
                    + each
                    + " did not end within "
                    + GRACE_SECONDS
                    + " s after another rank had failed, so it is ended");
      }
    }
  }

  /** Ends those that are alive, first in a friendly way. */
  private static void end(List<RankProcess> processes) {
    synchronized (processes) {
      processes.forEach(RankProcess::destroy);
      long end = CLOCK.nanoTime() + TimeUnit.SECONDS.toNanos(GRACE_OF_SIGNALS_SECONDS);
      for (RankProcess each : processes) {
        each.awaitOrKill(end - CLOCK.nanoTime());
      }
    }
  }
}
