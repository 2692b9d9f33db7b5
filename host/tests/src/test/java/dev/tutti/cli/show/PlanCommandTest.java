package dev.tutti.cli.show;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.cli.CommandLineHarness;
import dev.tutti.cli.CommandLineHarness.Outcome;
import dev.tutti.plan.GroupPlan;
import dev.tutti.plan.PlanJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlanCommandTest {

  @TempDir private Path plugins;
  @TempDir private Path files;
  private CommandLineHarness tutti;

  @BeforeEach
  void openTestAlgorithms() {
    tutti = CommandLineHarness.withTestAlgorithms(plugins);
  }

  @Test
  void everyRankHasATableOfItsActions() {
    Outcome outcome = tutti.call("plan", "broadcast", "-n", "2", "-c", "2");

    assertThat(outcome.exitCode()).isZero();
    assertThat(outcome.lines().getFirst()).matches(".*: 2 ranks, 10 actions, digest [0-9a-f]{12}");
    assertThat(outcome.lines())
        .contains("rank 0: 6 actions, 1 stream, 1 link", "rank 1: 4 actions, 1 stream, 1 link")
        .anyMatch(line -> line.matches("#  stream  action +line"))
        .anyMatch(
            line ->
                line.matches(
                    "2 +0  copy rank 1's param-output\\[0\\+8\\] = param-input\\[0\\+8\\] "
                        + ".*TestAlgorithms\\.java:\\d+\\)"));
  }

  @Test
  void anAverageIsThePlanOfTheSumAndADivision() {
    Outcome outcome = tutti.call("plan", "allreduce", "-n", "3", "--op", "avg");
    String sum = tutti.call("plan", "allreduce", "-n", "3").out();

    assertThat(outcome.exitCode()).isZero();
    assertThat(outcome.out())
        .isEqualTo(sum + "\nThen each rank that has a result divides it by 3.\n");
    assertThat(tutti.call("plan", "allreduce", "--op", "avg", "--format", "json").err())
        .startsWith("tutti: [TUTTI-101] --op avg goes with --format text only");
  }

  @Test
  void oneRankCanBeShownAlone() {
    Outcome outcome = tutti.call("plan", "broadcast", "-n", "2", "-c", "2", "--rank", "1");

    assertThat(outcome.lines())
        .contains("rank 1: 4 actions, 1 stream, 1 link")
        .noneMatch(line -> line.startsWith("rank 0:"));
  }

  @Test
  void jsonIsReadBackAsTheSamePlan() throws IOException {
    Path file = files.resolve("plan.json");
    Outcome printed = tutti.call("plan", "send", "-c", "7", "--format", "json");
    Outcome written =
        tutti.call("plan", "send", "-c", "7", "--format", "json", "--output", file.toString());

    assertThat(printed.exitCode()).isZero();
    assertThat(written.exitCode()).isZero();
    assertThat(written.out()).isEmpty();
    GroupPlan plan = PlanJson.fromJson(Files.readString(file));
    assertThat(plan.rankSize()).isEqualTo(4);
    assertThat(PlanJson.fromJson(printed.out())).isEqualTo(plan);
  }

  @Test
  void dotIsAGraph() {
    Outcome outcome = tutti.call("plan", "send", "-n", "2", "--format", "dot");

    assertThat(outcome.exitCode()).isZero();
    assertThat(outcome.out()).startsWith("digraph ").endsWith("}" + System.lineSeparator());
  }

  @Test
  void anAlgorithmAloneIsEnough() {
    String named = tutti.call("plan", "broadcast/star", "-n", "3").out();

    assertThat(tutti.call("plan", "star", "-n", "3").out()).isEqualTo(named);
    assertThat(tutti.call("explain", "star").out()).startsWith("broadcast of");
    assertThat(tutti.call("algorithms", "star").lines())
        .anyMatch(line -> line.startsWith("broadcast  star"))
        .noneMatch(line -> line.contains("gathering"));
  }

  @Test
  void aRefusalLeavesTheFileThatIsThere() throws IOException {
    Path file = Files.writeString(files.resolve("plan.json"), "good");

    Outcome outcome =
        tutti.call("plan", "allreduce", "-a", "throwing", "--output", file.toString());

    assertThat(outcome.exitCode()).isEqualTo(1);
    assertThat(file).hasContent("good");
    assertThat(files).isDirectoryNotContaining("glob:**.part");
  }

  @Test
  void aFileThatCannotBeWrittenIsAnEnvironmentProblem() {
    Path file = files.resolve("missing").resolve("plan.json");

    Outcome outcome = tutti.call("plan", "send", "--output", file.toString());

    assertThat(outcome.exitCode()).isEqualTo(3);
    assertThat(outcome.err()).startsWith("tutti: ").contains(file.toString()).hasLineCount(1);
  }

  @Test
  void aPictureOfTooManyRanksIsRefusedBeforeTheyArePlanned() {
    Outcome outcome =
        tutti.call("plan", "allreduce", "-a", "throwing", "-n", "65", "--format", "svg");

    assertThat(outcome.exitCode()).isEqualTo(2);
    assertThat(outcome.err())
        .startsWith("tutti: [TUTTI-101] a picture takes up to 64 ranks. Actual: 65");
  }
}
