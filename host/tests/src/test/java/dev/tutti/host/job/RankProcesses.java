package dev.tutti.host.job;

import dev.tutti.host.Rte;
import dev.tutti.sdk.TuttiException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;

/** JVMs that are ranks of one job after another. Killed JVMs are replaced for the next job. */
final class RankProcesses implements AutoCloseable {

  /** The number of kills of a rank at each step, set by {@code tutti.job.kills}. */
  static final int KILLS = Integer.getInteger("tutti.job.kills", 1);

  private static final String SEPARATOR = "\t";
  private static final String END = "END";

  /** What a rank says that could not close its group or its context. */
  private static final String KEPT = "KEPT ";

  private final Class<?> child;
  private final Deque<Worker> idle = new ArrayDeque<>();

  /** The work of a process as a rank. */
  @FunctionalInterface
  interface Body {
    void run(Rte rte, String... arguments) throws Exception;
  }

  /**
   * The output of a rank until its end.
   *
   * @param exitCode its exit code, or 0 if its process goes on
   */
  record Ended(int exitCode, String said) {}

  /**
   * A job.
   *
   * @param arguments what each rank is given
   * @param victim the rank whose process ends with the job, or −1
   * @param isStopped whether the victim lives until all others have ended
   * @param minutes how long they may take
   */
  record Job(
      int ranks, IntFunction<String[]> arguments, int victim, boolean isStopped, long minutes) {}

  /** A JVM, and where it listens and speaks. */
  private record Worker(Process process, PrintStream in, BufferedReader out) {

    static Worker start(Class<?> child) throws IOException {
      List<String> command = new ArrayList<>();
      command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx192m"));
      command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-Dtutti.examination=here"));
      command.addAll(List.of("-cp", System.getProperty("java.class.path"), child.getName()));
      Process process =
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
      return new Worker(
          process,
          new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8),
          new BufferedReader(
              new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8)));
    }

    /** Whether it can be a rank of the next job after a job that it has ended. */
    boolean canGoOn(Ended ended) {
      return process.isAlive() && !ended.said().contains(KEPT);
    }

    /** Kills it. What it has said can still be read, unlike after {@link Process#destroy}. */
    void kill() {
      boolean _ = process.toHandle().destroyForcibly();
    }

    Ended await() throws IOException, InterruptedException {
      StringBuilder said = new StringBuilder();
      for (String line = out.readLine(); line != null; line = out.readLine()) {
        if (line.equals(END)) {
          return new Ended(0, said.toString());
        }
        said.append(line).append('\n');
      }
      return new Ended(process.waitFor(), said.toString());
    }
  }

  /** Processes of a class whose {@code main} calls {@link #serve}. */
  RankProcesses(Class<?> child) {
    this.child = child;
  }

  /** Runs a job to its end, and says what its ranks have said. */
  List<Ended> run(Job job) throws Exception {
    Path directory = OneJvmJob.newDirectory();
    List<Worker> workers = new ArrayList<>();
    List<FutureTask<Ended>> ends = new ArrayList<>();
    boolean areSound = false;
    try {
      for (int rank = 0; rank < job.ranks; rank++) {
        Worker worker = idle.isEmpty() ? Worker.start(child) : idle.pop();
        workers.add(worker);
        ends.add(new FutureTask<>(worker::await));
        Thread.ofPlatform().daemon().name("hears-rank-" + rank).start(ends.getLast());
        List<String> line = new ArrayList<>();
        line.addAll(List.of(String.valueOf(rank), String.valueOf(job.ranks), directory.toString()));
        line.addAll(Arrays.asList(job.arguments.apply(rank)));
        worker.in.println(String.join(SEPARATOR, line));
      }
      if (job.isStopped) {
        awaitOthers(ends, job);
        workers.get(job.victim).kill();
      }
      List<Ended> all = new ArrayList<>();
      for (FutureTask<Ended> end : ends) {
        all.add(end.get(job.minutes, TimeUnit.MINUTES));
      }
      areSound = true;
      return all;
    } finally {
      for (int rank = 0; rank < workers.size(); rank++) {
        Worker worker = workers.get(rank);
        if (areSound && rank != job.victim && worker.canGoOn(ends.get(rank).get())) {
          idle.add(worker);
        } else {
          // Its signal may still be on the way.
          worker.kill();
        }
      }
      OneJvmJob.requireNothingLeft(directory);
    }
  }

  private static void awaitOthers(List<FutureTask<Ended>> ends, Job job) throws Exception {
    for (int rank = 0; rank < ends.size(); rank++) {
      if (rank != job.victim) {
        Ended _ = ends.get(rank).get(job.minutes, TimeUnit.MINUTES);
      }
    }
  }

  /** Is a rank of one job after another, as the one at the other end says. */
  static void serve(Body body) throws IOException {
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        String[] words = line.split(SEPARATOR, -1);
        Rte rte =
            Rte.process(
                Integer.parseInt(words[0]),
                Integer.parseInt(words[1]),
                Path.of(words[2]),
                OneJvmJob.TOKEN);
        try {
          body.run(rte, Arrays.copyOfRange(words, 3, words.length));
          System.out.println("DONE");
        } catch (TuttiException e) {
          System.out.println("ERROR " + e.code().name() + " " + e.getMessage());
          for (Throwable kept : e.getSuppressed()) {
            System.out.println(
                KEPT + ((TuttiException) kept).code().name() + " " + kept.getMessage());
          }
        } catch (Throwable t) {
          t.printStackTrace();
          Runtime.getRuntime().halt(1);
        }
        System.out.println(END);
        System.out.flush();
      }
    }
  }

  @Override
  public void close() {
    for (Worker each : idle) {
      each.kill();
    }
    idle.clear();
  }
}
