package dev.tutti.cli.tune;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.cli.CommandLineHarness;
import dev.tutti.cli.CommandLineHarness.Outcome;
import dev.tutti.cli.PageChecks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class CompareCommandTest {

  /** So wide that the first batches decide; {@link RatioTest} tests the decisions of a limit. */
  private static final double WIDE = 1_000_000;

  @TempDir private Path plugins;
  @TempDir private Path directory;
  private CommandLineHarness tutti;

  @BeforeEach
  void openTestAlgorithms() {
    tutti = CommandLineHarness.withTestAlgorithms(plugins);
  }

  private Outcome compare(String... more) {
    List<String> usual =
        List.of("compare", "allreduce", "-n", "2", "--sizes", "8,1K", "--place", "out");
    return tutti.call(Stream.concat(usual.stream(), Stream.of(more)).toArray(String[]::new));
  }

  @Test
  void eachRequestGetsARatioWithItsRangeAndTheNoise() throws IOException {
    String csv = directory.resolve("rows.csv").toString();
    Outcome outcome =
        compare("--limit", String.valueOf(WIDE), "--budget", "10m", "--json", "--csv", csv);

    assertThat(outcome.err()).isEmpty();
    assertThat(outcome.exitCode()).isZero();
    List<JsonNode> rows = outcome.lines().stream().map(JsonMapper.shared()::readTree).toList();
    assertThat(Files.readAllLines(Path.of(csv)))
        .hasSize(1 + rows.size())
        .first()
        .isEqualTo(String.join(",", rows.getFirst().propertyNames()));
    // A request may have a row for each state of the machine.
    assertThat(rows.stream().map(row -> row.get("bytes").asInt()).distinct())
        .containsExactly(8, 1024);
    assertThat(rows)
        .allSatisfy(
            row -> {
              Ratio ratio =
                  new Ratio(
                      row.get("ratio").asDouble(),
                      row.get("ratioLow").asDouble(),
                      row.get("ratioHigh").asDouble(),
                      row.get("batches").asInt());
              assertThat(row.get("verdict").asString())
                  .isEqualTo(CompareResult.Verdict.of(ratio, WIDE).label());
              assertThat(row.get("batches").asInt()).isGreaterThanOrEqualTo(Ratio.ENOUGH);
              assertThat(row.get("ratio").asDouble())
                  .isBetween(row.get("ratioLow").asDouble(), row.get("ratioHigh").asDouble());
              assertThat(row.get("noise").asDouble())
                  .isBetween(row.get("noiseLow").asDouble(), row.get("noiseHigh").asDouble());
              assertThat(row.get("chosenBy").asString()).isEqualTo("plan");
              assertThat(row.get("chosenMicros").asDouble()).isPositive();
            });
  }

  @Test
  void theWholeIsSummedUp() {
    Outcome outcome = compare("--limit", String.valueOf(WIDE), "--budget", "10m");
    assertThat(outcome.lines().getFirst()).startsWith("operation  ranks  place");
    List<String> columns = cells(outcome.lines().getFirst());
    List<List<String>> rows =
        outcome.lines().subList(1, outcome.lines().size() - 1).stream()
            .map(CompareCommandTest::cells)
            .toList();
    assertThat(rows).hasSizeGreaterThanOrEqualTo(2);
    List<String> verdicts = rows.stream().map(row -> row.get(columns.indexOf("verdict"))).toList();
    // The largest ratio depends on the machine, and is that of some row.
    String largest =
        rows.stream()
            .map(row -> row.get(columns.indexOf("ratio")))
            .max(Comparator.comparingDouble(Double::parseDouble))
            .orElseThrow();
    assertThat(outcome.lines().getLast())
        .startsWith(
            "of %d ratios, %d within %.2f, %d beyond, %d open; the largest ratio is %s; "
                .formatted(
                    rows.size(),
                    Collections.frequency(verdicts, "within"),
                    WIDE,
                    Collections.frequency(verdicts, "beyond"),
                    Collections.frequency(verdicts, "open"),
                    largest));
  }

  private static List<String> cells(String line) {
    return List.of(line.strip().split(" {2,}"));
  }

  @Test
  void whatRulesChooseIsCompared() throws IOException {
    Path file = directory.resolve("rules.json");
    Files.writeString(
        file, "{\"format\": \"tutti-rules 1\", \"rules\": [{\"prefer\": \"gathering\"}]}");
    Outcome outcome =
        compare(
            "--limit",
            String.valueOf(WIDE),
            "--budget",
            "10m",
            "--json",
            "--rules",
            file.toString());
    assertThat(outcome.lines().stream().map(JsonMapper.shared()::readTree).toList())
        .hasSizeGreaterThanOrEqualTo(2)
        .allSatisfy(
            row -> {
              assertThat(row.get("chosen").asString()).isEqualTo("embedded:gathering");
              assertThat(row.get("fastest").asString()).startsWith("embedded:");
            });
  }

  @Test
  void theRanksMayBeOnSeveralNodes() {
    Outcome outcome =
        tutti.call(
            "compare",
            "broadcast",
            "--topology",
            "2+1",
            "--sizes",
            "8",
            "--place",
            "out",
            "--json",
            "--limit",
            String.valueOf(WIDE));

    assertThat(outcome.err()).isEmpty();
    assertThat(outcome.exitCode()).isZero();
    assertThat(JsonMapper.shared().readTree(outcome.lines().getFirst()).get("ranks").asInt())
        .isEqualTo(3);
  }

  @Test
  void aLimitBelowOneIsRefused() {
    for (String limit : List.of("0.9", "NaN", "Infinity")) {
      Outcome outcome = compare("--limit", limit);
      assertThat(outcome.exitCode()).isEqualTo(2);
      assertThat(outcome.err())
          .startsWith("tutti: [TUTTI-101] --limit must be 1 or more. Actual: " + limit);
    }
  }

  @Test
  void aBudgetThatIsTooShortIsTold() {
    Outcome outcome = compare("--budget", "0.000001s");
    assertThat(outcome.exitCode()).isEqualTo(2);
    assertThat(outcome.out()).isEmpty();
    assertThat(outcome.err())
        .startsWith("tutti: [TUTTI-101] --budget 0.000001 s is too short: 1 request would ");
  }

  @Test
  void thePageHoldsAPointForEachTime() throws IOException {
    Path page = directory.resolve("page.html");
    Outcome outcome =
        compare("--limit", String.valueOf(WIDE), "--budget", "10m", "--html", page.toString());

    assertThat(outcome.err()).isEmpty();
    assertThat(outcome.exitCode()).isZero();
    PageChecks.requirePoints(page, "8", "1024");
  }

  @Test
  void otherMeasurementsNeedAPage() {
    Outcome outcome = tutti.call("compare", "allreduce", "--beside", "other=other.csv");
    assertThat(outcome.exitCode()).isEqualTo(2);
    assertThat(outcome.err()).contains("--beside adds a line to the page of --html; give both");
  }
}
