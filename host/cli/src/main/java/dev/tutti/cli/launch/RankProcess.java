package dev.tutti.cli.launch;

import dev.tutti.base.text.Sentence;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/** The process of a rank, and the threads that forward its output, line by line. */
final class RankProcess {

  private static final long MOMENT_SECONDS = 5;

  private final int rank;
  private final Process process;
  private final CompletableFuture<Integer> end;

  private RankProcess(int rank, Process process, CompletableFuture<Integer> end) {
    this.rank = rank;
    this.process = process;
    this.end = end;
  }

  /**
   * Starts a process.
   *
   * @param output gets its output
   */
  static RankProcess start(ProcessBuilder builder, int rank, RankOutput output) throws IOException {
    Process process = builder.start();
    process.getOutputStream().close();
    CompletableFuture<Void> out =
        passOn(process.getInputStream(), rank, line -> output.out(rank, line));
    CompletableFuture<Void> err =
        passOn(process.getErrorStream(), rank, line -> output.err(rank, line));
    // The output is forwarded before the end is reported.
    CompletableFuture<Integer> end =
        CompletableFuture.allOf(out, err)
            .thenCombine(process.onExit(), (ended, own) -> own.exitValue());
    return new RankProcess(rank, process, end);
  }

  private static CompletableFuture<Void> passOn(InputStream from, int rank, Consumer<String> to) {
    return CompletableFuture.runAsync(
        () -> {
          try (BufferedReader lines =
              new BufferedReader(new InputStreamReader(from, StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
              to.accept(line);
            }
          } catch (IOException e) {
            // The process has ended.
          }
        },
        task -> Thread.ofVirtual().name("tutti-output-" + rank).start(task));
  }

  /** The number of the process. */
  long number() {
    return process.pid();
  }

  /** The exit code, once the process has ended and all of its output is forwarded. */
  CompletableFuture<Integer> end() {
    return end;
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** Asks the process to end. It can still print, which {@link Process#destroy} would prevent. */
  void destroy() {
    boolean _ = process.toHandle().destroy();
  }

  /**
   * Waits for the end of the process, and kills it if it does not end in time. All output until
   * then is forwarded.
   */
  void awaitOrKill(long patienceNanos) {
    boolean hasEnded = false;
    try {
      hasEnded = process.waitFor(Math.max(0, patienceNanos), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (!hasEnded) {
      boolean _ = process.toHandle().destroyForcibly();
    }
    awaitOutput();
  }

  /**
   * Waits until the output has ended, for a limited time: a killed process uses its directory a
   * moment longer, and processes that it has started may keep the output open even longer.
   */
  private void awaitOutput() {
    try {
      int _ = end.get(MOMENT_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (TimeoutException e) {
      // Later output is lost.
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  /** For example {@code "rank 2 (process 123)"}. */
  @Override
  public String toString() {
    return Sentence.of("rank %d (process %d)", rank, process.pid());
  }
}
