package dev.tutti.cli.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.cli.Cli;
import dev.tutti.cli.CommandLineHarness.Outcome;
import dev.tutti.cli.host.Hosts;
import dev.tutti.cli.serve.ServedHost;
import dev.tutti.cli.terminal.JsonLine;
import dev.tutti.cli.terminal.Terminal;
import dev.tutti.cli.terminal.TerminalReport;
import dev.tutti.host.Await;
import dev.tutti.host.Context;
import dev.tutti.host.Group;
import dev.tutti.host.RankHandle;
import dev.tutti.host.job.OneJvmJob;
import dev.tutti.host.job.ProcessState;
import dev.tutti.host.status.GroupStatus;
import dev.tutti.host.status.ProcessReport;
import dev.tutti.host.status.RankStatus;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The status of a job's processes, including those that do not answer. */
@Timeout(600)
final class JobStatusTest {

  private static final int LAST = 2;
  private static final long OWN = ProcessHandle.current().pid();

  private final StringWriter err = new StringWriter();
  private final Terminal terminal =
      new Terminal(new PrintWriter(new StringWriter()), new PrintWriter(err), false, false);

  private static Path directory(Context context) {
    return context.rte().jobDirectory().orElseThrow();
  }

  /** The last rank looks while all others wait for it in a barrier. */
  private List<List<String>> whileOthersWait(Look look) throws Exception {
    return OneJvmJob.run(
        LAST + 1,
        builder -> builder,
        context -> {
          try (RankServer server = RankServer.open(context.rte(), terminal);
              Group group = context.createGroup(LAST + 1)) {
            server.serving(context);
            int rank = group.localRanks()[0];
            List<String> seen = rank == LAST ? look.at(awaitOthers(directory(context))) : List.of();
            group.rank(rank).barrier();
            return seen;
          }
        });
  }

  private interface Look {
    List<String> at(Path job) throws Exception;
  }

  private static Path awaitOthers(Path job) throws Exception {
    Await.until(
        () -> {
          List<GroupStatus> groups = JobStatus.of(job).groups();
          return groups.size() == 1
              && groups.getFirst().ranks().stream().filter(RankStatus::isWaiting).count() == LAST;
        });
    return job;
  }

  @Test
  void allRanksAreShownTogetherWithWhomTheyWaitFor() throws Exception {
    List<String> lines =
        whileOthersWait(job -> ServedHost.call(job, "status", "--job", job.toString()).lines())
            .get(LAST);
    String process = " (process " + OWN + ") ";
    String last = "rank 2" + process + "has not called";
    assertThat(lines)
        .contains("ranks  3, all of which answer")
        .anyMatch(line -> line.matches("0 of 3 +" + OWN + " .* ready"))
        .anyMatch(line -> line.matches("2 of 3 +" + OWN + " .* ready"))
        .anyMatch(line -> line.matches("embedded .* all that are ready"))
        .contains("group 1 (group of 3 ranks) is waiting for ranks that have not called");
    int first =
        lines.indexOf("group 1 (group of 3 ranks) is waiting for ranks that have not called");
    assertThat(lines.get(first + 1))
        .startsWith("  rank 0" + process + "waits in operation 1, barrier, for rank 2, at ");
    assertThat(lines.get(first + 2))
        .startsWith("  rank 1" + process + "waits in operation 1, barrier, for rank 2, at ");
    assertThat(lines.get(first + 3)).startsWith("  " + last);
    assertThat(lines.get(first + 4)).startsWith("  → what the others wait for: " + last);
    assertThat(err.toString()).isEmpty();
  }

  @Test
  void anyProcessThatMpiConnectsTellsWhatTheRanksOfAllDo() throws Exception {
    List<List<String>> seen =
        OneJvmJob.inProcesses(
            new int[] {LAST, 1},
            (process, builder) -> builder,
            context -> {
              try (RankServer server = RankServer.open(context.rte(), terminal);
                  Group group = context.createGroup(LAST + 1)) {
                server.serving(context);
                List<String> lines = new ArrayList<>();
                if (context.rte().isLocal(LAST)) {
                  Path job = awaitOthers(mpiDirectory());
                  lines.addAll(ServedHost.call(job, "status", "--job", job.toString()).lines());
                }
                group.run(RankHandle::barrier);
                return lines;
              }
            });
    String process = " (process " + OWN + ") ";
    assertThat(seen.getLast())
        .contains("ranks     3, all of which answer")
        .anyMatch(line -> line.matches("0, 1 of 3 +" + OWN + " .* ready"))
        .anyMatch(line -> line.matches(" +2 of 3 +" + OWN + " .* ready"))
        .anyMatch(line -> line.matches("embedded .* all that are ready"))
        .anyMatch(line -> line.startsWith("  rank 0" + process + "waits in operation 1, barrier"))
        .anyMatch(line -> line.startsWith("  rank 1" + process + "waits in operation 1, barrier"))
        .contains("  rank 2" + process + "has not called");
    assertThat(err.toString()).isEmpty();
    assertThat(JobDirectory.ofProcess(JobDirectory.ofLiveJobs(), OWN)).isEmpty();
  }

  /** The directory of a process of this JVM that MPI connects with others. */
  private static Path mpiDirectory() {
    return JobDirectory.ofProcess(JobDirectory.ofLiveJobs(), OWN).orElseThrow();
  }

  @Test
  void aProcessThatHasNotJoinedTheOthersOfItsMpiJobSaysSo() throws Exception {
    OneJvmJob.inProcesses(
        new int[] {1, 1},
        (process, builder) -> builder,
        context -> {
          if (context.rte().isLocal(0)) {
            try (RankServer server = RankServer.open(context.rte(), terminal)) {
              JobReport report = JobReport.of(mpiDirectory());
              assertThat(report.has(OWN)).isTrue();
              StringWriter text = new StringWriter();
              report.print(
                  new TerminalReport(
                      new Terminal(new PrintWriter(text), new PrintWriter(err), false, false)));
              assertThat(text.toString().lines())
                  .contains(
                      "ranks     process "
                          + OWN
                          + " does not answer: the processes of its job have not all joined each"
                          + " other yet");
            }
          }
          return null;
        });
  }

  @Test
  void answersAreReadAsTheyWereWritten() {
    RankAnswer silence = new RankAnswer.Silence(4, 2, 77, "b", "has left the job");
    RankAnswer report =
        new RankAnswer.Report(
            new RankReport(
                0,
                4,
                6,
                76,
                "",
                true,
                new ProcessReport(Instant.EPOCH, 12, 3, List.of(), List.of())));
    String json =
        new JsonLine()
            .putLines("processes", Stream.of(report, silence).map(RankAnswer::json).toList())
            .toString();

    assertThat(RankServer.read(json)).containsExactly(report, silence);
    assertThat(silence.name(5)).isEqualTo("rank 5 (process 77 of b)");
  }

  @Test
  void aProcessSaysOfItsOwnRankAloneWhatItDoes() throws Exception {
    List<List<RankStatus>> seen =
        OneJvmJob.run(
            2,
            builder -> builder,
            context -> {
              try (Group group = context.createGroup(2)) {
                List<RankStatus> ranks = context.status(Duration.ofMillis(1)).getFirst().ranks();
                group.rank(group.localRanks()[0]).barrier();
                return ranks;
              }
            });
    for (int rank = 0; rank < 2; rank++) {
      assertThat(seen.get(rank)).hasSize(1);
      assertThat(seen.get(rank).getFirst().rank()).isEqualTo(rank);
      assertThat(seen.get(rank).getFirst().state()).isEqualTo(RankStatus.State.OUTSIDE);
    }
  }

  @Test
  void jsonHasTheSame() throws Exception {
    List<String> lines =
        whileOthersWait(
                job -> ServedHost.call(job, "status", "--job", job.toString(), "--json").lines())
            .get(LAST);
    assertThat(lines).hasSize(1);
    JsonNode json = JsonMapper.shared().readTree(lines.getFirst());
    assertThat(json.propertyNames())
        .containsExactly("job", "launcher", "command", "startedAt", "ranks", "activity");
    assertThat(json.get("ranks")).hasSize(3);
    assertThat(json.get("ranks").get(1).get("process").asLong()).isEqualTo(OWN);
    assertThat(json.get("ranks").get(1).get("answers").asBoolean()).isTrue();
    JsonNode group = json.get("activity").get(0);
    assertThat(group.get("state").asString()).isEqualTo("meeting");
    assertThat(group.get("waits")).hasSize(3);
    assertThat(group.get("waits").get(0).get("waitsFor").get(0).asInt()).isEqualTo(2);
    assertThat(group.get("cause").asString()).startsWith("what the others wait for: rank 2");
  }

  @Test
  void ranksThatDoNotAnswerAreNamed(@TempDir Path job) throws Exception {
    Process ended = new ProcessBuilder("true").start();
    ended.waitFor();
    Process stopped = new ProcessBuilder("sleep", "1000").start();
    try {
      new ProcessBuilder("kill", "-STOP", String.valueOf(stopped.pid())).start().waitFor();
      // The kernel stops it when it next gets a processor.
      Await.until(() -> ProcessState.of(stopped.pid()) == ProcessState.STOPPED);
      new JobFacts(
              OWN, "tutti bench", Instant.now(), List.of(OWN, ended.pid(), stopped.pid()), false)
          .write(job);

      Outcome outcome = ServedHost.call(job, "status", "--job", job.toString());

      assertThat(outcome.lines())
          .contains("command   tutti bench", "ranks     3, of which 0 answer")
          .anyMatch(line -> line.startsWith("launcher  pid " + OWN + ", up "))
          .anyMatch(
              line ->
                  line.matches("0 of 3 +" + OWN + " .*does not answer: it does not answer yet.*"))
          .anyMatch(
              line -> line.matches("1 of 3 +" + ended.pid() + " .*does not answer: it has ended"))
          .anyMatch(
              line ->
                  line.matches(
                      "2 of 3 +"
                          + stopped.pid()
                          + " .*does not answer: a signal or a.* stopped it"));
    } finally {
      stopped.destroyForcibly();
    }
  }

  @Test
  void jobsAreShownWhetherAHostServesOrNot(@TempDir Path parent) throws Exception {
    Path plugins = Files.createDirectory(parent.resolve("plugins"));
    try (JobDirectory first = JobDirectory.make(parent);
        JobDirectory second = JobDirectory.make(parent)) {
      Supplier<List<Path>> jobs = () -> JobDirectory.ofLiveJobs(parent);
      Hosts hosts = Hosts.ofProcess(jobs);
      JsonNode alone = JsonMapper.shared().readTree(call(hosts, "status", "--json"));
      assertThat(alone.get("jobs").size()).isEqualTo(2);
      assertThat(alone.get("jobs").findValuesAsString("job"))
          .containsExactlyInAnyOrder(first.path().toString(), second.path().toString());
      assertThat(call(hosts, "status").lines().filter(line -> line.startsWith("job "))).hasSize(2);
      assertThat(call(Hosts.ofProcess(List::of), "status"))
          .contains("no host serves")
          .contains("no job of this user is running");

      try (ServedHost host = ServedHost.start(plugins, jobs)) {
        JsonNode served = JsonMapper.shared().readTree(host.call("status", "--json").out());
        assertThat(served.get("jobs").size()).isEqualTo(2);
        String named = host.call("status", "--json", "--plugins", plugins.toString()).out();
        assertThat(JsonMapper.shared().readTree(named).get("jobs").size()).isZero();
      }
    }
  }

  private static String call(Hosts hosts, String... arguments) {
    StringWriter all = new StringWriter();
    Terminal terminal = new Terminal(new PrintWriter(all), new PrintWriter(all), false, false);
    int _ = new Cli(terminal, hosts).run(arguments);
    return all.toString();
  }

  @Test
  void aJobThatIsNotThereIsRefused(@TempDir Path directory) {
    Outcome outcome =
        ServedHost.call(directory, "status", "--job", directory.resolve("none").toString());
    assertThat(outcome.exitCode()).isEqualTo(3);
    assertThat(outcome.err()).contains("no job '").contains("name its directory, or a process");
  }

  @Test
  void jobsAreFoundAsLongAsTheirLaunchersWork(@TempDir Path parent) throws Exception {
    Path dead = Files.createDirectory(parent.resolve("tutti-job-dead"));
    Files.createFile(dead.resolve("lock"));
    Files.createDirectory(parent.resolve("tutti-job-unborn"));
    assertThat(JobDirectory.ofLiveJobs(parent)).isEmpty();
    try (JobDirectory live = JobDirectory.make(parent)) {
      assertThat(JobDirectory.ofLiveJobs(parent)).containsExactly(live.path());
    }
    assertThat(JobDirectory.ofLiveJobs(parent)).isEmpty();
  }

  @Test
  void processesLearnThatTheirLauncherWasKilled() throws Exception {
    Process launcher = new ProcessBuilder("sleep", "1000").start();
    CountDownLatch hasEnded = new CountDownLatch(1);
    LauncherWatch.whenEnded(String.valueOf(launcher.pid()), hasEnded::countDown);
    launcher.destroyForcibly().waitFor();
    assertThat(hasEnded.await(5, TimeUnit.MINUTES)).isTrue();

    CountDownLatch hadEnded = new CountDownLatch(1);
    LauncherWatch.whenEnded(String.valueOf(launcher.pid()), hadEnded::countDown);
    assertThat(hadEnded.await(5, TimeUnit.MINUTES)).isTrue();
  }

  @Test
  void ranksAreNamedShortly() {
    assertThat(RankNumbers.of(List.of(2))).isEqualTo("rank 2");
    assertThat(RankNumbers.of(List.of(1, 0))).isEqualTo("ranks 0, 1");
    assertThat(RankNumbers.of(List.of(0, 1, 2, 3, 5, 7, 8))).isEqualTo("ranks 0-3, 5, 7, 8");
  }
}
