package dev.tutti.cli.launch;

import dev.tutti.base.text.Sentence;
import dev.tutti.cli.terminal.Terminal;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** The process of a rank, and the threads that pass its output on, line by line. */
final class RankProcess {

  /** Each JVM says this of the vector kernels; the launcher's own has said it once. */
  private static final String NOISE = "WARNING: Using incubator modules: jdk.incubator.vector";

  private final int rank;
  private final Process process;
  private final CompletableFuture<Integer> end;

  private RankProcess(int rank, Process process, CompletableFuture<Integer> end) {
    this.rank = rank;
    this.process = process;
    this.end = end;
  }

  /** Starts a process. */
  static RankProcess start(ProcessBuilder builder, int rank, Terminal terminal) throws IOException {
    Process process = builder.start();
    process.getOutputStream().close();
    String name = "[rank " + rank + "] ";
    CompletableFuture<Void> out =
        passOn(process.getInputStream(), rank == 0 ? "" : name, terminal.out());
    CompletableFuture<Void> err = passOn(process.getErrorStream(), name, terminal.err());
    // What it has said is passed on before its end is told.
    CompletableFuture<Integer> end =
        CompletableFuture.allOf(out, err)
            .thenCombine(process.onExit(), (ended, own) -> own.exitValue());
    return new RankProcess(rank, process, end);
  }

  private static CompletableFuture<Void> passOn(InputStream from, String name, PrintWriter to) {
    return CompletableFuture.runAsync(
        () -> {
          try (BufferedReader lines =
              new BufferedReader(new InputStreamReader(from, StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
              if (!line.equals(NOISE)) {
                to.println(name + line);
              }
            }
          } catch (IOException e) {
            // The process has ended.
          }
        },
        task -> Thread.ofVirtual().name("tutti-output" + name).start(task));
  }

  /** The exit code, once the process has ended and all of its output was passed on. */
  CompletableFuture<Integer> end() {
    return end;
  }

  boolean isAlive() {
    return process.isAlive();
  }

  void destroy() {
    process.destroy();
  }

  /** Waits for the end, and kills it if that does not come in time. */
  void awaitOrKill(long patienceNanos) {
    boolean hasEnded = false;
    try {
      hasEnded = process.waitFor(Math.max(0, patienceNanos), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (!hasEnded) {
      process.destroyForcibly();
    }
  }

  /** For example {@code "rank 2 (process 123)"}. */
  @Override
  public String toString() {
    return Sentence.of("rank %d (process %d)", rank, process.pid());
  }
}
