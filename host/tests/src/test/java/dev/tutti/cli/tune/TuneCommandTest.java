package dev.tutti.cli.tune;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.cli.CommandLineHarness;
import dev.tutti.cli.CommandLineHarness.Outcome;
import dev.tutti.cli.PageChecks;
import dev.tutti.cli.terminal.Text;
import dev.tutti.host.pool.rules.Rules;
import dev.tutti.host.pool.rules.Series;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class TuneCommandTest {

  @TempDir private Path plugins;
  @TempDir private Path directory;
  private CommandLineHarness tutti;
  private Path file;

  @BeforeEach
  void openTestAlgorithms() {
    tutti = CommandLineHarness.withTestAlgorithms(plugins);
    file = directory.resolve("rules.json");
  }

  private Outcome tune(String... more) {
    List<String> usual =
        List.of("tune", "allreduce", "-n", "2", "--sizes", "8,1K", "--place", "out");
    return tutti.call(Stream.concat(usual.stream(), Stream.of(more)).toArray(String[]::new));
  }

  @Test
  void whatWasMeasuredIsWrittenAndDecidesFromThenOn() {
    Outcome outcome = tune("--output", file.toString());

    assertThat(outcome.err()).isEmpty();
    assertThat(outcome.exitCode()).isZero();
    assertThat(outcome.lines().getFirst()).startsWith("operation  ranks  place");
    assertThat(outcome.lines().getLast()).startsWith("wrote " + file);
    Rules rules = Rules.read(file);
    assertThat(rules.profile().series())
        .extracting(Series::algorithm)
        .containsOnly("embedded:gathering", "embedded:forgetful");
    assertThat(rules.profile().series())
        .flatExtracting(each -> each.micros().keySet())
        .containsOnly(8L, 1024L);
    // A busy machine may answer as if it changed its state meanwhile.
    for (int hop : rules.profile().hops()) {
      assertThat(outcome.lines())
          .contains(
              Text.count(rules.profile().requestCount(hop), "request")
                  + " where a cache line takes "
                  + hop
                  + " ns");
    }

    Outcome explained =
        tutti.call(
            "explain", "allreduce", "-n", "2", "-b", "64", "--rules", file.toString(), "--json");
    assertThat(explained.err()).isEmpty();
    assertThat(explained.lines().stream().map(JsonMapper.shared()::readTree).toList())
        .filteredOn(row -> row.get("isSupported").asBoolean())
        .hasSize(2)
        .allMatch(row -> row.get("origin").asString().equals("profile"));
  }

  @Test
  void rulesThatAreThereAreKept() throws IOException {
    Files.writeString(
        file,
        """
        {"format": "tutti-rules 1", "rules": [
          {"prefer": ["gathering", "embedded:forgetful"], "operation": ["allreduce", "reduce"],
           "bytes": "4K..", "ranks": "..8", "nodes": 1, "type": "float32", "reduction": "sum",
           "topology": "4", "determinism": "none", "mode": ["graph", "op-base"],
           "protocol": "direct", "parameters": {"pieces": 2}},
          {"deny": "forgetful", "operation": "allreduce", "bytes": "1M.."}]}
        """);
    Rules before = Rules.read(file);
    // A name for reduce is not there, so the file is for reading only here.
    assertThat(tune("--output", file.toString()).exitCode()).isZero();

    Rules after = Rules.read(file);
    assertThat(after.profile().series()).isNotEmpty();
    assertThat(after.rules()).hasSameSizeAs(before.rules());
    for (int i = 0; i < before.rules().size(); i++) {
      assertThat(after.rules().get(i))
          .usingRecursiveComparison()
          .ignoringFields("origin")
          .isEqualTo(before.rules().get(i));
    }
  }

  @Test
  void aDryRunWritesNothingAndShowsHowGoodTheChoiceIs() throws IOException {
    Path csv = plugins.resolve("rows.csv");
    Outcome outcome = tune("--dry-run", "--json", "--csv", csv.toString());

    assertThat(outcome.exitCode()).isZero();
    List<JsonNode> rows = outcome.lines().stream().map(JsonMapper.shared()::readTree).toList();
    assertThat(rows.stream().map(row -> row.get("bytes").asInt()).distinct())
        .containsExactly(8, 1024);
    assertThat(rows)
        .allSatisfy(
            row -> {
              assertThat(row.get("ratio").asDouble()).isGreaterThanOrEqualTo(1);
              assertThat(row.get("times")).hasSize(2);
              assertThat(row.get("chosenBy").asString()).isEqualTo("plan");
            });
    assertThat(Files.readAllLines(csv))
        .hasSize(1 + rows.size())
        .first()
        .isEqualTo(
            "operation,ranks,inPlace,bytes,fastest,fastestMicros,chosen,chosenBy,chosenMicros,"
                + "ratio,hopNanos");
    try (Stream<Path> files = Files.list(directory)) {
      assertThat(files).isEmpty();
    }
    assertThat(tune("--dry-run", "--output", file.toString()).err())
        .startsWith("tutti: [TUTTI-101] --dry-run writes nothing; ");
  }

  @Test
  void whatCannotBeReadOrWrittenIsToldBeforeAnythingIsMeasured() throws IOException {
    Path nowhere = directory.resolve("missing").resolve("rules.json");
    Outcome missing = tune("--output", nowhere.toString());
    assertThat(missing.exitCode()).isEqualTo(3);
    assertThat(missing.err()).startsWith("tutti: [TUTTI-308] cannot write the rules file ");
    assertThat(missing.out()).isEmpty();

    Files.writeString(file, "{\"format\": \"tutti-rules 1\", \"rules\": [");
    Outcome broken = tune("--output", file.toString());
    assertThat(broken.exitCode()).isEqualTo(2);
    assertThat(broken.err())
        .startsWith("tutti: [TUTTI-110] rules.json is not valid JSON at line 1");
    assertThat(file).hasContent("{\"format\": \"tutti-rules 1\", \"rules\": [");
  }

  @Test
  void aBudgetThatIsTooShortForAnyRequestIsRefusedAndWritesNothing() {
    Path page = directory.resolve("page.html");
    Path csv = directory.resolve("rows.csv");
    Outcome outcome =
        tune(
            "--output",
            file.toString(),
            "--budget",
            "0.000001s",
            "--html",
            page.toString(),
            "--csv",
            csv.toString());

    assertThat(outcome.exitCode()).isEqualTo(2);
    assertThat(outcome.out()).isEmpty();
    assertThat(outcome.err())
        .isEqualToIgnoringNewLines(
            "tutti: [TUTTI-101] --budget 0.000001 s is too short: 1 request would take about 0.010"
                + " s or more; give a longer one");
    assertThat(directory).isEmptyDirectory();
  }

  /** A request takes 10 ms or more for each of the four algorithms. */
  @Test
  void aBudgetThatIsTooShortForAllRequestsIsToldBeforeTheyAreMeasured() {
    Outcome outcome =
        tutti.call("tune", "allreduce", "-n", "1,2,3,4", "--dry-run", "--budget", "0.1s");

    assertThat(outcome.err())
        .startsWith(
            "tutti: --budget 0.1 s is too short: 72 requests would take about 2.88 s or more; some"
                + " will not be measured");
  }

  @Test
  void requestsWithoutAnAlgorithmAreRefusedAndWriteNothing() {
    Outcome outcome = tutti.call("tune", "barrier", "-n", "2", "--output", file.toString());

    assertThat(outcome.exitCode()).isEqualTo(2);
    assertThat(outcome.err())
        .startsWith("tutti: [TUTTI-201] no algorithm could be measured for 1 request; name other");
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void theRanksMayBeOnSeveralNodesIfNoRulesAreWritten() throws IOException {
    Path csv = plugins.resolve("rows.csv");
    Outcome outcome =
        tutti.call(
            "tune",
            "broadcast",
            "--topology",
            "2+1",
            "--sizes",
            "8",
            "--place",
            "out",
            "--dry-run",
            "--csv",
            csv.toString());

    assertThat(outcome.err()).isEmpty();
    assertThat(outcome.exitCode()).isZero();
    assertThat(Files.readAllLines(csv)).last().asString().startsWith("broadcast,3,false,8,");

    Outcome written =
        tutti.call("tune", "broadcast", "--topology", "2+1", "--output", file.toString());
    assertThat(written.exitCode()).isEqualTo(2);
    assertThat(written.err())
        .startsWith(
            "tutti: [TUTTI-101] a rules file has times of groups on one node only, and --topology"
                + " 2+1 has 2 nodes; add --dry-run to see the times, or use one node");
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void wrongSizesAndOperationsAreRefused() {
    assertThat(tutti.call("tune", "--sizes", "0", "--dry-run").err())
        .startsWith("tutti: [TUTTI-101] --sizes must be 1 or more. Actual: 0");
    assertThat(tutti.call("tune", "alreduce").err()).contains("did you mean 'allreduce'?");
  }

  @Test
  void thePageHoldsAPointForEachTime() throws IOException {
    Path page = directory.resolve("page.html");
    Outcome outcome = tune("--dry-run", "--html", page.toString());

    assertThat(outcome.err()).isEmpty();
    assertThat(outcome.exitCode()).isZero();
    PageChecks.requirePoints(page, "8", "1024");
  }

  @Test
  void otherMeasurementsNeedAPage() {
    Outcome outcome = tutti.call("tune", "allreduce", "--beside", "other=other.csv");
    assertThat(outcome.exitCode()).isEqualTo(2);
    assertThat(outcome.err()).contains("--beside adds a line to the page of --html; give both");
  }
}
