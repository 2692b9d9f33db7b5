package dev.tutti.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The distribution's plugins, unchanged, with a process for each rank. */
class ProcessesTest {

  private static final Path DIRECTORY = Path.of(System.getProperty("tutti.dist"), "plugins");
  private static final String PLUGINS = "--plugins=" + DIRECTORY;

  @TempDir private Path directory;

  /** One plugin only, as its author has it. */
  private String own;

  @BeforeEach
  void makeDirectory() throws IOException {
    own = "--plugins=" + Tutti.few(directory, "direct");
  }

  @ParameterizedTest
  @CsvSource({
    "allreduce, 3, --count=1001, --type=bfloat16",
    "alltoall, 2, --bytes=64K, --memory=heap"
  })
  void anOperationIsRightOnAllRanks(String operation, int ranks, String size, String option)
      throws Exception {
    try (Tutti tutti = new Tutti(directory)) {
      String text =
          tutti.succeed(
              "run",
              operation,
              PLUGINS,
              "--ranks=" + ranks,
              "--processes",
              size,
              option,
              "-i",
              "3");
      assertThat(text)
          .contains("ranks      " + ranks)
          .contains("verified   ✓ every element of every rank");
    }
  }

  @Test
  void aTableHasARowForEachNumberOfRanks() throws Exception {
    try (Tutti tutti = new Tutti(directory)) {
      String text =
          tutti.succeed(
              "bench",
              "allgather",
              own,
              "--ranks=2,3",
              "--processes",
              "--sizes=64",
              "--place=out",
              "--seconds=0.01");
      assertThat(text.lines().filter(line -> line.contains("µs"))).hasSize(1);
      assertThat(text.lines().filter(line -> line.endsWith("✓"))).hasSize(2);
      assertThat(text).contains("callers processes");
    }
  }

  @Test
  void theTableOfNcclTestsHasRanksInProcessesToo() throws Exception {
    try (Tutti tutti = new Tutti(directory)) {
      String text =
          tutti.succeed(
              "perf", "all_gather", own, "-g3", "--processes", "-b=96", "-e=96", "-n=5", "-w=5");
      assertThat(text).contains("# Using 3 ranks, callers processes");
      assertThat(text.lines().filter(line -> line.matches(" +96 +8 +float +none +-1 .*")))
          .singleElement()
          .satisfies(line -> assertThat(line).endsWith("0      N/A     N/A     N/A     N/A"));
      assertThat(text).contains("# Out of bounds values : 0 OK");
    }
  }

  /** The choice knows nothing of processes, so what explain shows holds for them. */
  @Test
  void aJobRunsWhatExplainShows() throws Exception {
    try (Tutti tutti = new Tutti(directory)) {
      String[] shape = {"alltoall", PLUGINS, "--ranks=3", "--bytes=12K", "--json"};
      JsonNode chosen =
          json(tutti.succeed(with("explain", shape))).stream()
              .filter(each -> each.get("isChosen").asBoolean())
              .findFirst()
              .orElseThrow();
      JsonNode ran = json(tutti.succeed(with("run", shape, "--processes", "-i=1"))).getFirst();
      assertThat(ran.get("algorithm").asString())
          .isEqualTo(chosen.get("algorithm").asString())
          .isNotEmpty();
    }
  }

  private static String[] with(String command, String[] shape, String... more) {
    List<String> all = new ArrayList<>(List.of(command));
    all.addAll(List.of(shape));
    all.addAll(List.of(more));
    return all.toArray(String[]::new);
  }

  /** The objects among the lines of a command. */
  private static List<JsonNode> json(String text) {
    return text.lines()
        .filter(line -> line.startsWith("{"))
        .map(line -> JsonMapper.shared().readTree(line))
        .toList();
  }

  @ParameterizedTest
  @ValueSource(strings = {"INT", "TERM"})
  void aSignalEndsAllProcessesAndLeavesNothing(String signal) throws Exception {
    try (Tutti tutti = new Tutti(directory)) {
      Process launcher =
          tutti.launch("bench", "allreduce", own, "--ranks=2", "--processes", "--seconds=1000");
      List<Long> ranks = tutti.awaitRanks(launcher.pid(), 2, "callers processes");
      Path job = jobOf(tutti, launcher.pid());
      assertThat(job).isDirectory();

      new ProcessBuilder("kill", "-" + signal, String.valueOf(launcher.pid())).start().waitFor();

      assertThat(launcher.waitFor(10, TimeUnit.MINUTES)).isTrue();
      assertThat(launcher.exitValue()).isEqualTo(signal.equals("INT") ? 130 : 143);
      assertThat(job).doesNotExist();
      for (long each : ranks) {
        assertThat(ProcessHandle.of(each)).isEmpty();
      }
    }
  }

  private static Path jobOf(Tutti tutti, long process) throws Exception {
    String text = tutti.succeed("status", "--job", String.valueOf(process), "--json");
    return Path.of(json(text).getFirst().get("job").asString());
  }

  @Test
  void aJobServesUntilItIsToldToStop() throws Exception {
    try (Tutti tutti = new Tutti(directory)) {
      String state = "--state=" + directory.resolve("job.state");
      Process launcher =
          tutti.launch(
              "serve",
              own,
              state,
              "--processes",
              "--ranks=2",
              "--load=allreduce",
              "-b=4K",
              "--rate=200");
      List<Long> ranks = tutti.awaitRanks(launcher.pid(), 2, "serving ");
      Path job = jobOf(tutti, ranks.getLast());

      JsonNode jobs = json(tutti.succeed("status", state, "--json")).getFirst().get("jobs");
      assertThat(jobs).hasSize(1);
      assertThat(jobs.get(0).get("job").asString()).isEqualTo(job.toString());
      assertThat(jobs.get(0).get("ranks")).hasSize(2);

      assertThat(tutti.succeed("plugins", "install", Tutti.jar("ring").toString(), own, state))
          .contains("dev.tutti.ring", "serving");
      assertThat(tutti.succeed("status", "--job=" + launcher.pid()))
          .containsPattern("dev.tutti.ring .* all that are ready");
      tutti.succeed("plugins", "remove", "dev.tutti.direct", own, state);
      assertThat(tutti.succeed("status", "--job=" + launcher.pid()))
          .doesNotContain("dev.tutti.direct ");
      Tutti.Result live = tutti.run("run", "allreduce", own, state);
      assertThat(live.text()).contains("the host that serves is one of 2 processes");

      tutti.succeed("serve", "--stop", state);

      assertThat(launcher.waitFor(10, TimeUnit.MINUTES)).isTrue();
      assertThat(launcher.exitValue()).isZero();
      assertThat(job).doesNotExist();
      assertThat(Files.readString(directory.resolve(Tutti.LAUNCHED)))
          .doesNotContain("TUTTI-")
          .doesNotContain("not compared");
    }
  }

  @Test
  void aHostEndsInOrderWithItsLauncher() throws Exception {
    try (Tutti tutti = new Tutti(directory)) {
      String state = "--state=" + directory.resolve("job.state");
      Process launcher =
          tutti.launch(
              "serve", own, state, "--processes", "--ranks=2", "--load=allreduce", "--rate=200");
      List<Long> ranks = tutti.awaitRanks(launcher.pid(), 2, "serving ");
      launcher.destroy();
      assertThat(launcher.waitFor(10, TimeUnit.MINUTES)).isTrue();
      assertThat(launcher.exitValue()).isZero();
      for (long each : ranks) {
        assertThat(ProcessHandle.of(each)).isEmpty();
      }
    }
  }

  @Test
  void tracesAreRefused() throws Exception {
    try (Tutti tutti = new Tutti(directory)) {
      Tutti.Result traced = tutti.run("run", "allreduce", "--processes", "--trace=run.json");
      assertThat(traced.code()).isEqualTo(2);
      assertThat(traced.text()).contains("--trace shows runs of one process");
    }
  }
}
