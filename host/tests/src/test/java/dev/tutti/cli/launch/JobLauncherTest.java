package dev.tutti.cli.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tutti.cli.job.JobDirectory;
import dev.tutti.cli.terminal.Terminal;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A launcher passes on what its processes say, and how they end, and leaves nothing behind. */
@Timeout(300)
final class JobLauncherTest {

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(int ranks, String script) {
    Terminal terminal = new Terminal(new PrintWriter(out), new PrintWriter(err), false, false);
    RankCommand command = new RankCommand(List.of("sh", "-c", script));
    return new JobLauncher(terminal).run(ranks, command, "sh");
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
  void tooManyRanksAreRefused() {
    Terminal terminal = new Terminal(new PrintWriter(out), new PrintWriter(err), false, false);
    assertThatThrownBy(() -> new JobLauncher(terminal).run(65, List.of("run")))
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
