package dev.tutti.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.cli.CommandLineHarness.Outcome;
import dev.tutti.cli.terminal.TuttiVersion;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class OtherCommandsTest {

  @TempDir private Path plugins;
  private CommandLineHarness tutti;

  @BeforeEach
  void openTestAlgorithms() {
    tutti = CommandLineHarness.withTestAlgorithms(plugins);
  }

  @Test
  void explainNamesTheChosenAlgorithmAndTheReasonsAgainstOthers() {
    Outcome outcome = tutti.call("explain", "allreduce", "--protocol", "rdma");

    assertThat(outcome.exitCode()).isZero();
    assertThat(outcome.lines())
        .anyMatch(line -> line.matches("→ .*:forgetful .* chosen"))
        .anyMatch(line -> line.matches(" .*:gathering .* refused: needs direct links"));
  }

  @Test
  void explainKnowsAFormulaThatGivesNoTime() {
    String why = "its formula gives no time for this request: the group has more than 256 ranks";
    Outcome outcome = tutti.call("explain", "allreduce", "--ranks", "257");

    assertThat(outcome.lines())
        .anyMatch(line -> line.contains(":gathering ") && line.contains(why))
        .anyMatch(line -> line.contains(":throwing ") && line.contains("declares no cost"));
  }

  @Test
  void explainEndsAsTheRunWouldIfNothingIsSupported() {
    Outcome outcome =
        tutti.call("explain", "allreduce", "-a", "gathering", "--protocol", "rdma", "--json");

    assertThat(outcome.exitCode()).isEqualTo(2);
    JsonNode candidate = JsonMapper.shared().readTree(outcome.out());
    assertThat(candidate.get("isSupported").asBoolean()).isFalse();
    assertThat(candidate.get("reason").asString()).isEqualTo("needs direct links");
    assertThat(outcome.err()).startsWith("tutti: [TUTTI-201] ");
  }

  @Test
  void topoFindsTheMachine() {
    Outcome outcome = tutti.call("topo", "--ranks", "6", "--topology", "found");
    assertThat(outcome.out()).contains("machine: ", " processors on ", "6 ranks");
    assertThat(tutti.call("topo", "--ranks", "0", "--topology", "found").exitCode()).isNotZero();
  }

  @Test
  void topoListsThePlanesOfEveryLevel() {
    Outcome outcome = tutti.call("topo", "--topology", "4+3");

    assertThat(outcome.exitCode()).isZero();
    assertThat(outcome.lines())
        .containsExactly(
            "4+3: 7 ranks, 2 nodes, 1 pod, not uniform",
            "level     planes  ranks",
            "level0         2  [0, 1, 2, 3] [4, 5, 6]",
            "level1         4  [0, 4] [1, 5] [2, 6] [3]",
            "level2         7  [0] [1] [2] [3] [4] [5] [6]",
            "combined       1  [0, 1, 2, 3, 4, 5, 6]");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--help",
        "run --help",
        "bench -h",
        "plan --help",
        "help explain",
        "verify --help",
        "simulate --help"
      })
  void helpHasExamplesAndExitCodes(String arguments) {
    Outcome outcome = tutti.call(arguments.split(" "));

    assertThat(outcome.exitCode()).isZero();
    assertThat(outcome.err()).isEmpty();
    assertThat(outcome.out()).contains("Usage: tutti", "Exit codes:", "Examples:", "  tutti ");
  }

  @Test
  void withoutACommandTheHelpIsShown() {
    assertThat(tutti.call()).isEqualTo(tutti.call("--help"));
  }

  @Test
  void theVersionIsOneLine() {
    Outcome outcome = tutti.call("--version");

    assertThat(outcome.exitCode()).isZero();
    assertThat(outcome.lines()).containsExactly(TuttiVersion.line());
    assertThat(TuttiVersion.line()).matches("tutti \\S+ \\(JDK .*\\)");
  }
}
