package dev.tutti.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.cli.CommandLineHarness;
import dev.tutti.cli.CommandLineHarness.Outcome;
import dev.tutti.cli.PageChecks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class BenchCommandTest {

  @TempDir private Path plugins;
  private CommandLineHarness tutti;

  @BeforeEach
  void openTestAlgorithms() {
    tutti = CommandLineHarness.withTestAlgorithms(plugins);
  }

  @Test
  void everySizeIsMeasuredInAndOutOfPlaceForEveryGroup() throws IOException {
    Outcome outcome =
        tutti.call(
            "bench",
            "-a",
            "gathering",
            "-n",
            "1,2",
            "--sizes",
            "8,1K",
            "--seconds",
            "1ms",
            "--json",
            "--csv",
            plugins.resolve("rows.csv").toString());

    assertThat(outcome.err()).isEmpty();
    assertThat(outcome.exitCode()).isZero();
    List<JsonNode> rows = outcome.lines().stream().map(JsonMapper.shared()::readTree).toList();
    assertThat(rows)
        .extracting(
            row -> row.get("ranks").asInt(),
            row -> row.get("bytes").asInt(),
            row -> row.get("inPlace").asBoolean(),
            row -> row.get("verified").asBoolean())
        .containsExactly(
            tuple(1, 8, false),
            tuple(1, 8, true),
            tuple(1, 1024, false),
            tuple(1, 1024, true),
            tuple(2, 8, false),
            tuple(2, 8, true),
            tuple(2, 1024, false),
            tuple(2, 1024, true));
    List<String> csv = Files.readAllLines(plugins.resolve("rows.csv"));
    assertThat(csv).hasSize(1 + rows.size());
    // On a busy machine the state is not known of every row.
    assertThat(csv.getFirst().split(","))
        .containsExactlyElementsOf(
            rows.stream().flatMap(row -> row.propertyNames().stream()).distinct().toList());
    assertThat(csv.getLast().split(",", -1))
        .contains(rows.getLast().get("medianMicros").asString());
    assertThat(rows).allMatch(row -> row.get("b2bMicros").asDouble() > 0);
    assertThat(rows).allMatch(row -> row.get("callers").asString().equals("one"));
  }

  private static org.assertj.core.groups.Tuple tuple(int ranks, int bytes, boolean isInPlace) {
    return org.assertj.core.api.Assertions.tuple(ranks, bytes, isInPlace, true);
  }

  @Test
  void peopleGetATableUnderALineAboutTheMachine() {
    Outcome outcome =
        tutti.call(
            "bench",
            "broadcast",
            "-n",
            "2",
            "--sizes",
            "4K",
            "--place",
            "out",
            "--seconds",
            "1ms",
            "--no-b2b",
            "--touch");

    assertThat(outcome.exitCode()).isZero();
    // A median that is not known well has a mark, which a last line explains.
    assertThat(outcome.lines().stream().filter(line -> !line.startsWith("# ~"))).hasSize(4);
    assertThat(outcome.lines().get(0))
        .matches("# tutti .*, \\d+ processors?, cache-line hop (unknown|.* ns)");
    assertThat(outcome.lines().get(1))
        .isEqualTo(
            "# broadcast of float32; callers one, mode chosen by the buffers, protocol direct, registered memory,"
                + " buffers rewritten and read between operations; GB = 10⁹ bytes");
    assertThat(outcome.lines().get(2)).startsWith("ranks      size      count  algorithm");
    assertThat(outcome.lines().get(3)).matches(" +2 +4 KiB +1024  star .* ✓");
  }

  @Test
  void aWrongResultEndsTheBenchmark() {
    Path file = plugins.resolve("rows.csv");
    Outcome outcome =
        tutti.call("bench", "-a", "forgetful", "-n", "2", "--sizes", "8", "--csv", file.toString());

    assertThat(outcome.exitCode()).isEqualTo(1);
    assertThat(outcome.err()).startsWith("tutti: [TUTTI-307] ");
    assertThat(file).doesNotExist();
  }

  @Test
  void thePageHoldsAPointForEachTime() throws IOException {
    Path page = plugins.resolve("page.html");
    Outcome outcome =
        tutti.call(
            "bench",
            "-a",
            "gathering",
            "-n",
            "2",
            "--sizes",
            "8,1K",
            "--seconds",
            "1ms",
            "--no-b2b",
            "--html",
            page.toString());

    assertThat(outcome.err()).isEmpty();
    assertThat(outcome.exitCode()).isZero();
    PageChecks.requirePoints(page, "8", "1024");
  }

  @Test
  void otherMeasurementsNeedAPage() {
    Outcome outcome = tutti.call("bench", "allreduce", "--beside", "other=other.csv");
    assertThat(outcome.exitCode()).isEqualTo(2);
    assertThat(outcome.err()).contains("--beside adds a line to the page of --html; give both");
  }
}
