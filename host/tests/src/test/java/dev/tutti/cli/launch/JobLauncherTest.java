package dev.tutti.cli.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tutti.cli.job.JobDirectory;
import dev.tutti.cli.terminal.Terminal;
import dev.tutti.host.Await;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A launcher passes on what its processes say, and how they end, and leaves nothing behind. */
@Timeout(300)
final class JobLauncherTest {

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private static final String WAITING = "echo $TUTTI_JOB_DIR; exec sleep 1000";

  private Terminal terminal() {
    return new Terminal(new PrintWriter(out), new PrintWriter(err), false, false);
  }

  private static RankCommand script(String script) {
    return new RankCommand(List.of("sh", "-c", script));
  }

  private int run(int ranks, String script) {
    return new JobLauncher(terminal()).run(ranks, script(script), "sh");
  }

  @Test
  void whatRanksSayHasTheirNamesInFront() {
    assertThat(run(3, "echo out; echo err >&2")).isZero();
    assertThat(out.toString().lines())
        .containsExactlyInAnyOrder("out", "[rank 1] out", "[rank 2] out");
    assertThat(err.toString().lines())
        .containsExactlyInAnyOrder("[rank 0] err", "[rank 1] err", "[rank 2] err");
  }

  @Test
  void theProgressOfTheFirstRankIsShownToWhoWatches() {
    Terminal watched = new Terminal(new PrintWriter(out), new PrintWriter(err), false, true);
    String script =
        "[ -z \"$TUTTI_WATCHED\" ] || printf '\\r\\033[K\\033[?7lhalf\\033[?7h\\r\\r\\033[Kdone\\n' >&2";

    assertThat(new JobLauncher(watched).run(2, script(script), "sh")).isZero();
    assertThat(err.toString())
        .isEqualTo("\r\u001b[K\u001b[?7lhalf\u001b[?7h\r\r\u001b[K[rank 0] done\n");
  }

  @Test
  void processesKnowWhoTheyAreAndMeetInAPrivateDirectory() throws Exception {
    assertThat(run(2, "echo $TUTTI_RANK/$TUTTI_RANKS $(stat -c %a $TUTTI_JOB_DIR) $TUTTI_JOB_DIR"))
        .isZero();
    List<String> lines = out.toString().lines().toList();
    assertThat(lines).anyMatch(line -> line.startsWith("0/2 700 "));
    assertThat(lines).anyMatch(line -> line.startsWith("[rank 1] 1/2 700 "));
    Path directory = Path.of(lines.getFirst().substring(lines.getFirst().lastIndexOf(' ') + 1));
    assertThat(directory).doesNotExist();
  }

  @Test
  void theFirstFailureIsTheExitCode() {
    assertThat(run(3, "[ $TUTTI_RANK != 1 ] || exit 7")).isEqualTo(7);
    assertThat(err.toString()).isEmpty();
  }

  @Test
  void aRankThatASignalEndsIsNamed() {
    assertThat(run(3, "[ $TUTTI_RANK != 2 ] || kill -9 $$")).isEqualTo(137);
    assertThat(err.toString())
        .matches("tutti: rank 2 \\(process \\d+\\) was killed by signal 9, or ended with .*137\n");
  }

  @Test
  void whatAllRanksFailWithIsPrintedOnce() {
    assertThat(run(4, "echo note >&2; echo 'tutti: [X] same' >&2; echo '  at' >&2; exit 5"))
        .isEqualTo(5);
    assertThat(err.toString().lines().filter(line -> line.endsWith("] note"))).hasSize(4);
    assertThat(err.toString().lines().filter(line -> !line.endsWith("] note")))
        .containsExactly("[ranks 0-3] tutti: [X] same", "[ranks 0-3]   at");
  }

  @Test
  void differentErrorsAreKeptApart() {
    assertThat(run(4, "echo \"tutti: [X] $(( TUTTI_RANK / 3 ))\" >&2; exit 1")).isEqualTo(1);
    assertThat(err.toString().lines())
        .containsExactly("[ranks 0-2] tutti: [X] 0", "[rank 3] tutti: [X] 1");
  }

  @Test
  void anErrorWithoutEndIsNotKept() throws Exception {
    JobLauncher launcher = new JobLauncher(terminal());
    String script = "echo 'tutti: [X] first' >&2; seq 1 2500 >&2; exec sleep 1000";
    FutureTask<Integer> ended = new FutureTask<>(() -> launcher.run(1, script(script), "sh"));
    Thread.ofPlatform().daemon().start(ended);

    Await.until(() -> err.toString().lines().count() == 2501);

    launcher.stop();
    assertThat(ended.get()).isEqualTo(143);
    assertThat(err.toString()).startsWith("[rank 0] tutti: [X] first\n[rank 0] 1\n");
  }

  @Test
  void processesAreWrittenDownForTheStatus() {
    assertThat(
            run(
                2,
                "f=$TUTTI_JOB_DIR/job.json; until [ -e $f ]; do sleep 0.1; done; echo $$; cat $f"))
        .isZero();
    List<String> lines = out.toString().lines().toList();
    String own = lines.stream().filter(line -> line.matches("\\d+")).findFirst().orElseThrow();
    assertThat(lines)
        .anyMatch(
            line ->
                line.startsWith("{\"launcher\":" + ProcessHandle.current().pid())
                    && line.contains("\"command\":\"sh\"")
                    && line.contains("\"processes\":[\"" + own + "\",\""));
  }

  @Test
  void allEndWhenTheLauncherIsToldToStop() throws Exception {
    JobLauncher launcher = new JobLauncher(terminal());
    FutureTask<Integer> ended = new FutureTask<>(() -> launcher.run(3, script(WAITING), "sh"));
    Thread.ofPlatform().daemon().start(ended);
    Await.until(() -> out.toString().lines().count() == 3);

    launcher.stop();

    assertThat(ended.get()).isEqualTo(143);
    assertThat(jobDirectory()).doesNotExist();
  }

  @Test
  void hostsEndTogether(@TempDir Path ready) {
    // Rank 1 ends when all others are ready for the signal.
    String script =
        """
        cd '%s'
        if [ $TUTTI_RANK = 1 ]; then
          until [ -e 0 ] && [ -e 2 ]; do sleep 0.1; done
          exit 0
        fi
        trap 'kill $!; exit 0' TERM
        sleep 1000 &
        touch $TUTTI_RANK
        wait
        """
            .formatted(ready);
    assertThat(JobLauncher.ofHosts(terminal()).run(3, script(script), "sh")).isZero();
    assertThat(err.toString()).isEmpty();
  }

  @Test
  void whatAKilledRankHasLeftIsRemoved() {
    assertThat(
            run(
                2,
                "d=$TUTTI_JOB_DIR/rank-$TUTTI_RANK; mkdir $d; echo $TUTTI_JOB_DIR;"
                    + " touch $d/control.json $d/control.json123 $d/control.sock; kill -9 $$"))
        .isEqualTo(137);
    assertThat(jobDirectory()).doesNotExist();
  }

  private Path jobDirectory() {
    String line =
        out.toString().lines().filter(each -> each.contains("/")).findFirst().orElseThrow();
    return Path.of(line.substring(line.indexOf('/')));
  }

  @Test
  void ranksHaveTheOptionsOfTheirLauncherButForWhatMakesItStartFast() {
    List<String> own =
        List.of(
            "--module-path=lib",
            "-XX:+UseParallelGC",
            "-XX:TieredStopAtLevel=1",
            "-XX:AOTCache=a b.aot",
            "-XX:SharedArchiveFile=a b.jsa",
            "-Xlog:aot=off",
            "-Xlog:cds+dynamic=off",
            "-Dtutti.rank.options=--x\n--y=1",
            "-Dtutti.home=here");
    assertThat(RankCommand.ofModule(own, "--x\n--y=1"))
        .containsExactly("--module-path=lib", "-Dtutti.home=here", "--x", "--y=1");
    assertThat(RankCommand.ofModule(own.subList(0, 3), null))
        .containsExactly("--module-path=lib", "-XX:TieredStopAtLevel=1");
  }

  @Test
  void tooManyRanksAreRefused() {
    assertThatThrownBy(() -> new JobLauncher(terminal()).run(65, List.of("run")))
        .hasMessageContaining("--processes starts at most 64 ranks. Actual: 65");
  }

  @Test
  void directoriesOfDeadJobsAreSweptAndThoseOfLiveOnesStay(@TempDir Path parent)
      throws IOException {
    Path dead = Files.createDirectory(parent.resolve("tutti-job-dead"));
    Files.createFile(dead.resolve("lock"));
    Files.createFile(dead.resolve("leader.sock"));
    Path unborn = Files.createDirectory(parent.resolve("tutti-job-unborn"));
    Path other = Files.createDirectory(parent.resolve("something-else"));
    try (JobDirectory first = JobDirectory.make(parent);
        JobDirectory second = JobDirectory.make(parent)) {
      assertThat(dead).doesNotExist();
      try (Stream<Path> all = Files.list(parent)) {
        assertThat(all).containsExactlyInAnyOrder(first.path(), second.path(), unborn, other);
      }
    }
    try (Stream<Path> all = Files.list(parent)) {
      assertThat(all).containsExactlyInAnyOrder(unborn, other);
    }
  }
}
