package dev.tutti.cli.catalogue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.cli.CommandLineHarness;
import dev.tutti.cli.CommandLineHarness.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class AlgorithmsCommandTest {

  @TempDir private Path plugins;
  private CommandLineHarness tutti;

  @BeforeEach
  void openTestAlgorithms() {
    tutti = CommandLineHarness.withTestAlgorithms(plugins);
  }

  @Test
  void algorithmsAreListedAndDescribed() {
    Outcome outcome = tutti.call("algorithms");

    assertThat(outcome.err()).isEmpty();
    assertThat(outcome.exitCode()).isZero();
    assertThat(outcome.lines().getFirst())
        .matches("operation +algorithm +plugin +version +same bits");
    assertThat(outcome.lines())
        .anyMatch(line -> line.matches("allreduce +gathering .* same-runs"))
        .anyMatch(line -> line.matches("broadcast +star .*"))
        .containsSequence(
            "allreduce gathering",
            "    Every rank reduces all inputs",
            "    source: a test",
            "    cost: α + (p-1)n(β + γ)",
            "    --param pieces = 1 (1 to 8): does nothing");
  }

  @Test
  void oneOperationCanBeListedAlone() {
    Outcome outcome = tutti.call("algorithms", "broadcast");

    assertThat(outcome.lines())
        .anyMatch(line -> line.startsWith("broadcast "))
        .noneMatch(line -> line.startsWith("allreduce "));
  }

  @Test
  void jsonHasOneObjectForEachAlgorithm() {
    Outcome outcome = tutti.call("algorithms", "allreduce", "--json");

    List<JsonNode> algorithms =
        outcome.lines().stream().map(JsonMapper.shared()::readTree).toList();
    assertThat(algorithms)
        .extracting(algorithm -> algorithm.get("algorithm").asString())
        .containsExactly("forgetful", "gathering", "stuck", "throwing");
    JsonNode parameter = algorithms.get(1).get("parameters").get(0);
    assertThat(parameter.get("name").asString()).isEqualTo("pieces");
    assertThat(parameter.get("default").asString()).isEqualTo("1");
    assertThat(parameter.get("range").asString()).isEqualTo("1 to 8");
  }

  @Test
  void aBrokenJarIsNamedAndTheOthersAreListed() throws IOException {
    Files.writeString(plugins.resolve("broken.jar"), "this is no jar");

    Outcome outcome = tutti.call("algorithms");

    assertThat(outcome.exitCode()).isZero();
    assertThat(outcome.out()).contains("gathering");
    assertThat(outcome.err())
        .startsWith("tutti: plugin problem: [TUTTI-401] broken.jar: ")
        .hasLineCount(1);
  }
}
