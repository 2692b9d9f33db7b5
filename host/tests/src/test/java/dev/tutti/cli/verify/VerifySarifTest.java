package dev.tutti.cli.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.cli.CommandLineHarness;
import dev.tutti.cli.CommandLineHarness.Outcome;
import dev.tutti.cli.TestAlgorithms;
import dev.tutti.host.Context;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class VerifySarifTest {

  private static final Path SOURCES =
      Path.of("src", "test", "java", "dev", "tutti", "cli", "verify");

  @TempDir private Path directory;
  private Path file;
  private CommandLineHarness tutti;

  @BeforeEach
  void openAlgorithms() {
    file = directory.resolve("log.sarif");
    tutti =
        new CommandLineHarness(
            directory,
            () ->
                TestAlgorithms.addTo(Context.builder())
                    .algorithm(new DrawnAlgorithms.Racing())
                    .algorithm(new DrawnAlgorithms.Hostile()));
  }

  private JsonNode run(int exitCode, String... words) {
    List<String> all = new ArrayList<>(List.of("verify"));
    all.addAll(List.of(words));
    all.addAll(List.of("--static", "--sarif", file.toString(), "--sources", SOURCES.toString()));
    Outcome outcome = tutti.call(all.toArray(String[]::new));
    assertThat(outcome.exitCode()).as(outcome.err()).isEqualTo(exitCode);
    JsonNode log = new JsonMapper().readTree(file.toFile());
    assertThat(log.get("version").asString()).isEqualTo("2.1.0");
    assertThat(log.get("runs").size()).isEqualTo(1);
    return log.get("runs").get(0);
  }

  /** The number of the line that holds a text. */
  private static int line(String text) throws IOException {
    List<String> lines = Files.readAllLines(SOURCES.resolve("DrawnAlgorithms.java"));
    for (int i = 0; i < lines.size(); i++) {
      if (lines.get(i).contains(text)) {
        return i + 1;
      }
    }
    throw new AssertionError(text + " is in no line");
  }

  @Test
  void aRaceIsAResultAtItsLineWithTheNumberOfItsCases() throws IOException {
    JsonNode run =
        run(1, "racing", "-n", "3,4", "-c", "4", "-t", "int32", "-o", "sum", "--rule", "MEM-1");

    assertThat(run.get("results").size()).isEqualTo(1);
    JsonNode result = run.get("results").get(0);
    assertThat(result.get("ruleId").asString()).isEqualTo("MEM-1");
    assertThat(result.get("level").asString()).isEqualTo("error");
    assertThat(result.get("message").get("text").asString())
        .startsWith("allreduce embedded:racing: MEM-1 data race: ")
        .containsPattern("\\d+ cases; check one again: tutti verify racing --static");
    JsonNode place = result.get("locations").get(0).get("physicalLocation");
    assertThat(place.get("artifactLocation").get("uri").asString())
        .isEqualTo("src/test/java/dev/tutti/cli/verify/DrawnAlgorithms.java");
    assertThat(place.get("artifactLocation").get("uriBaseId").asString()).isEqualTo("%SRCROOT%");
    assertThat(place.get("region").get("startLine").asInt()).isEqualTo(line("first.write(stream"));
    assertThat(result.get("relatedLocations").size()).isEqualTo(1);
    assertThat(result.get("partialFingerprints").get("tuttiFinding/v1").asString())
        .isEqualTo("embedded:racing MEM-1 DrawnAlgorithms$Racing.kernelRun");
  }

  @Test
  void everyResultHasItsRuleWithWhatItMeans() {
    JsonNode run = run(1, "racing", "-n", "2", "-c", "4", "-t", "int32", "-o", "sum");

    JsonNode rules = run.get("tool").get("driver").get("rules");
    assertThat(run.get("results"))
        .isNotEmpty()
        .allSatisfy(
            result ->
                assertThat(rules.get(result.get("ruleIndex").asInt()).get("id"))
                    .isEqualTo(result.get("ruleId")));
    assertThat(rules)
        .allSatisfy(
            rule ->
                assertThat(rule.get("help").get("markdown").asString())
                    .startsWith("## What it means")
                    .contains("## How to fix")
                    .doesNotContain("## Correct", "]("));
  }

  @Test
  void aFindingWithoutALineStandsAtTheClass() throws IOException {
    JsonNode run = run(1, "hostile", "-n", "2", "-c", "4", "--max-failures", "1");

    JsonNode place = run.get("results").get(0).get("locations").get(0).get("physicalLocation");
    assertThat(place.get("region").get("startLine").asInt()).isEqualTo(line("class Hostile"));
  }

  @Test
  void whatIsRightHasNoResults() {
    JsonNode run = run(0, "gathering", "-n", "2", "-c", "4");

    assertThat(run.get("results")).isEmpty();
    assertThat(run.get("invocations").get(0).get("executionSuccessful").asBoolean()).isTrue();
  }
}
