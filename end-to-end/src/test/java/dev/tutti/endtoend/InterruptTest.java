package dev.tutti.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A command that is interrupted keeps the results that it has by then. */
class InterruptTest {

  private static final Path DIRECTORY = Path.of(System.getProperty("tutti.dist"), "plugins");
  private static final String PLUGINS = "--plugins=" + DIRECTORY;
  private static final int OF_SIGINT = 130;

  @TempDir private Path directory;

  @Test
  void aTableKeepsItsRows() throws Exception {
    interruptedTable("--ranks=2,4");
  }

  @Test
  void aTableOfProcessesKeepsItsRows() throws Exception {
    interruptedTable("--ranks=2", "--processes");
  }

  private void interruptedTable(String... arguments) throws Exception {
    try (Tutti tutti = new Tutti(directory)) {
      List<String> all =
          new ArrayList<>(
              List.of("bench", "allreduce", PLUGINS, "--factor=2", "--csv=t.csv", "--html=t.html"));
      all.addAll(List.of(arguments));
      Process bench = tutti.launch(all.toArray(String[]::new));
      tutti.await("a row is there", () -> said().contains("✓"));

      interrupt(bench);

      assertThat(bench.exitValue()).as(said()).isEqualTo(OF_SIGINT);
      assertThat(said()).contains("what was measured before the interruption is in t.csv, t.html");
      long rows = said().lines().filter(line -> line.contains("✓")).count();
      assertThat(Files.readAllLines(directory.resolve("t.csv"))).hasSize((int) rows + 1);
      assertThat(directory.resolve("t.html")).isNotEmptyFile();
    }
  }

  @Test
  void aTuningKeepsTheRequestsThatWereMeasured() throws Exception {
    try (Tutti tutti = new Tutti(directory)) {
      Process tuning =
          tutti.launch("tune", "allreduce", PLUGINS, "--ranks=2,4", "--json", "--budget=20m");
      tutti.await("a request was measured", () -> said().contains("{"));

      interrupt(tuning);

      assertThat(tuning.exitValue()).as(said()).isEqualTo(OF_SIGINT);
      assertThat(said())
          .contains("what was measured before the interruption is in ", "tutti-rules.json");
      JsonNode rules =
          JsonMapper.shared().readTree(Files.readString(directory.resolve("tutti-rules.json")));
      assertThat(rules.findValues("ranks")).isNotEmpty();
      String explained =
          tutti.succeed("explain", "allreduce", PLUGINS, "--ranks=2", "--rules=tutti-rules.json");
      assertThat(explained).contains("allreduce");
    }
  }

  @Test
  void aVerificationKeepsTheCasesThatWereChecked() throws Exception {
    try (Tutti tutti = new Tutti(directory)) {
      Process verify =
          tutti.launch("verify", PLUGINS, "--static", "--json", "--html=v.html", "--sarif=v.sarif");
      tutti.await("an algorithm is done", () -> said().contains("}\n"));

      interrupt(verify);

      assertThat(verify.exitValue()).as(said()).isEqualTo(OF_SIGINT);
      assertThat(said())
          .contains("what was checked before the interruption is in v.html, v.sarif")
          .doesNotContain("Exception");
      JsonNode verdict =
          said()
              .lines()
              .filter(line -> line.contains("\"verdict\""))
              .map(JsonMapper.shared()::readTree)
              .findFirst()
              .orElseThrow();
      int cases = verdict.get("cases").asInt();
      int done = cases - verdict.get("notRun").asInt();
      assertThat(done).isGreaterThan(0).isLessThan(cases);
      assertThat(verdict.get("complete").asBoolean()).isFalse();
      String extent = "incomplete: " + done + " of " + cases + " cases done";
      assertThat(Files.readString(directory.resolve("v.html"))).contains(extent);
      assertThat(Files.readString(directory.resolve("v.sarif"))).contains(extent);
    }
  }

  @Test
  void aComparisonOfSimulationsKeepsThoseThatEnded() throws Exception {
    try (Tutti tutti = new Tutti(directory)) {
      Process simulate =
          tutti.launch(
              "simulate",
              "allreduce",
              PLUGINS,
              "--compare",
              "--ranks=128",
              "--bytes=64K,1M,2M,4M,8M,16M,32M,64M",
              "--json",
              "--html=s.html");
      tutti.await("a simulation is done", () -> said().contains("}\n"));

      interrupt(simulate);

      assertThat(simulate.exitValue()).as(said()).isEqualTo(OF_SIGINT);
      assertThat(said()).contains("what was simulated before the interruption is in s.html");
      long rows = said().lines().filter(line -> line.startsWith("{")).count();
      assertThat(Files.readString(directory.resolve("s.html")))
          .containsPattern("incomplete: " + rows + " of \\d+ simulations");
    }
  }

  /** Nothing says when the timed runs begin, so it is interrupted later and later. */
  @Test
  void runsKeepTheirTimes() throws Exception {
    try (Tutti tutti = new Tutti(directory)) {
      for (int seconds = 1; !said().contains("interrupted"); seconds *= 2) {
        assertThat(seconds).as(said()).isLessThan(100);
        Files.deleteIfExists(directory.resolve(Tutti.LAUNCHED));
        Process run = tutti.launch("run", "allreduce", PLUGINS, "--iterations=5000000");
        tutti.await("it has run once", () -> said().contains("verified"));
        long end = System.nanoTime() + Duration.ofSeconds(seconds).toNanos();
        tutti.await("some time is over", () -> System.nanoTime() - end > 0);

        interrupt(run);

        assertThat(run.exitValue()).as(said()).isEqualTo(OF_SIGINT);
      }
      assertThat(said())
          .containsPattern("time +min .* µs, median .* µs, p95 .* µs \\(\\d+ runs\\)");
    }
  }

  private String said() throws IOException {
    Path printed = directory.resolve(Tutti.LAUNCHED);
    return Files.exists(printed) ? Files.readString(printed) : "";
  }

  private static void interrupt(Process process) throws Exception {
    new ProcessBuilder("kill", "-INT", String.valueOf(process.pid())).start().waitFor();
    assertThat(process.waitFor(10, TimeUnit.MINUTES)).isTrue();
  }
}
