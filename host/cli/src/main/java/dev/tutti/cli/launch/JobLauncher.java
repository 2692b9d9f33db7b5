package dev.tutti.cli.launch;

import dev.tutti.base.idle.Clock;
import dev.tutti.base.text.Sentence;
import dev.tutti.cli.job.JobDirectory;
import dev.tutti.cli.job.JobFacts;
import dev.tutti.cli.terminal.ExitCode;
import dev.tutti.cli.terminal.Terminal;
import dev.tutti.host.Rte;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Runs a command with a process for each rank, and waits for all of them. The first rank's output
 * is the output of the command; the lines of the others begin with their names. When this process
 * has to end, it ends the others. When one fails, the others get some time to report what they know
 * about it. For one job.
 */
public final class JobLauncher {

  private static final Clock CLOCK = Clock.system();
  private static final int TOKEN_BYTES = 16;
  private static final long GRACE_SECONDS = 10;
  private static final long GRACE_OF_SIGNALS_SECONDS = 5;

  /** The time that hosts get to finish their work before they end. */
  private static final long GRACE_OF_HOSTS_SECONDS = 60;

  /** The exit code of a process that a signal has ended is this plus the signal's number. */
  private static final int SIGNALLED = 128;

  private final Terminal terminal;
  private final RankOutput output;
  private final boolean areHosts;

  /** Guarded by itself. */
  private final List<RankProcess> processes = new ArrayList<>();

  /** Whether a signal has ended this process, which then ends the others. */
  private volatile boolean isInterrupted;

  /** Whether no more processes are started. Guarded by the list. */
  private boolean isEnding;

  private JobLauncher(Terminal terminal, boolean areHosts) {
    this.terminal = terminal;
    this.output = new RankOutput(terminal);
    this.areHosts = areHosts;
  }

  /** Launches processes that end by themselves. */
  public JobLauncher(Terminal terminal) {
    this(terminal, false);
  }

  /**
   * Launches processes that work until they are asked to end. When one ends, the launcher asks all
   * others to end.
   */
  public static JobLauncher ofHosts(Terminal terminal) {
    return new JobLauncher(terminal, true);
  }

  /**
   * Runs a command.
   *
   * @param ranks the number of ranks, 1 to 64
   * @param arguments the arguments of each process
   * @return the exit code of the first rank that failed; 0 if none did
   */
  public int run(int ranks, List<String> arguments) {
    if (ranks > Rte.MAX_PROCESSES) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT,
          "--processes starts at most %d ranks. Actual: %d; leave it out, or use fewer ranks",
          Rte.MAX_PROCESSES,
          ranks);
    }
    return run(ranks, RankCommand.of(arguments), "tutti " + String.join(" ", arguments));
  }

  int run(int ranks, RankCommand command, String words) {
    try (JobDirectory directory = JobDirectory.make()) {
      Thread ender = new Thread(() -> interrupted(directory), "tutti-job-end");
      Runtime.getRuntime().addShutdownHook(ender);
      try {
        start(ranks, command, words, directory);
        return await();
      } catch (IOException e) {
        throw new TuttiException(
            ErrorCode.OUTPUT_UNWRITABLE, e, "a process cannot be started: %s", e.getMessage());
      } finally {
        end(directory);
        removeHook(ender);
      }
    }
  }

  private void start(int ranks, RankCommand command, String words, JobDirectory directory)
      throws IOException {
    byte[] token = new byte[TOKEN_BYTES];
    new SecureRandom().nextBytes(token);
    String text = HexFormat.of().formatHex(token);
    Instant start = Instant.now();
    synchronized (processes) {
      for (int rank = 0; rank < ranks && !isEnding; rank++) {
        processes.add(
            RankProcess.start(
                command.builder(rank, ranks, directory.path(), text, terminal.showsProgress()),
                rank,
                output));
      }
      List<Long> numbers = processes.stream().map(RankProcess::number).toList();
      new JobFacts(ProcessHandle.current().pid(), words, start, numbers, false)
          .write(directory.path());
    }
  }

  private static void removeHook(Thread ender) {
    try {
      boolean ignored = Runtime.getRuntime().removeShutdownHook(ender);
    } catch (IllegalStateException e) {
      // This process is ending, and the hook is running.
    }
  }

  /** Waits for all processes. When one has failed, the others get some time to end. */
  private int await() {
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
      if (areHosts) {
        CompletableFuture.anyOf(ends.toArray(CompletableFuture[]::new)).get();
        stop();
        all.get(GRACE_OF_HOSTS_SECONDS, TimeUnit.SECONDS);
      } else {
        CompletableFuture.anyOf(all, firstFailure).get();
        all.get(GRACE_SECONDS, TimeUnit.SECONDS);
      }
    } catch (TimeoutException e) {
      output.flush();
      tellStragglers();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    }
    output.flush();
    RankProcess failed = firstFailure.getNow(null);
    if (failed == null) {
      return ExitCode.OK;
    }
    int exitCode = failed.end().join();
    if (exitCode > SIGNALLED && !isInterrupted) {
      terminal
          .err()
          .println(
              Sentence.of(
                  "tutti: %s was killed by signal %d, or ended with exit code %d",
                  failed, exitCode - SIGNALLED, exitCode));
    }
    return exitCode;
  }

  private void tellStragglers() {
    for (RankProcess each : processes) {
      if (each.isAlive()) {
        terminal
            .err()
            .println(
                Sentence.of(
                    "tutti: %s did not end within %d s after another rank had %s; the launcher is"
                        + " ending it",
                    each,
                    areHosts ? GRACE_OF_HOSTS_SECONDS : GRACE_SECONDS,
                    areHosts ? "ended" : "failed"));
      }
    }
  }

  private void interrupted(JobDirectory directory) {
    isInterrupted = true;
    end(directory);
  }

  /** Asks all processes to end. */
  public void stop() {
    synchronized (processes) {
      isEnding = true;
      processes.forEach(RankProcess::destroy);
    }
  }

  /**
   * Asks the running processes to end, kills them if they do not, and removes all files. A second
   * call does nothing.
   */
  private void end(JobDirectory directory) {
    synchronized (processes) {
      stop();
      long patience = areHosts ? GRACE_OF_HOSTS_SECONDS : GRACE_OF_SIGNALS_SECONDS;
      long end = CLOCK.nanoTime() + TimeUnit.SECONDS.toNanos(patience);
      for (RankProcess each : processes) {
        each.awaitOrKill(end - CLOCK.nanoTime());
      }
      output.flush();
      directory.close();
    }
  }
}
