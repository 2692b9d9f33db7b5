package dev.tutti.cli.show;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.cli.CommandLineHarness;
import dev.tutti.cli.CommandLineHarness.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.json.JsonMapper;

class LintCommandTest {

  @TempDir private Path plugins;
  @TempDir private Path directory;

  private Outcome lint(String rules, String... options) throws IOException {
    Path file = directory.resolve("rules.json");
    Files.writeString(file, "{\"format\": \"tutti-rules 1\", \"rules\": [" + rules + "]}");
    String[] arguments = new String[options.length + 2];
    arguments[0] = "lint";
    arguments[1] = file.toString();
    System.arraycopy(options, 0, arguments, 2, options.length);
    return CommandLineHarness.withTestAlgorithms(plugins).call(arguments);
  }

  @Test
  void rulesThatCountAreFine() throws IOException {
    Outcome outcome =
        lint(
            """
            {"prefer": "gathering", "operation": "allreduce", "bytes": "1K.."},
            {"prefer": "gathering", "operation": "allreduce"},
            {"avoid": "forgetful"},
            {"pin": "star", "operation": "broadcast", "parameters": {}}
            """);
    assertThat(outcome.out()).isEqualTo("4 rules, each of which can apply\n");
    assertThat(outcome.exitCode()).isZero();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"deny\": \"gathring\"} | unknown algorithm 'gathring'; did you mean 'gathering'?",
        "{\"pin\": \"star\", \"operation\": \"allreduce\"} | unknown algorithm 'star'",
        "{\"deny\": \"star\"}, {\"deny\": \"star\", \"ranks\": 4} | rules.json:1 denies star: it"
            + " never applies, because 'rules.json:1 denies star' is for",
        "{\"prefer\": \"star\", \"operation\": \"broadcast\", \"reduction\": \"sum\"} | none of"
            + " its operations reduces",
        "{\"avoid\": \"star\", \"ranks\": 2, \"nodes\": \"3..\"} | ranks 2 cannot be on nodes 3..",
        "{\"avoid\": \"star\", \"nodes\": 0} | every group has a node",
        "{\"avoid\": \"star\", \"topology\": \"2+2\", \"nodes\": 1} | topology 2+2 contradicts its ranks or nodes",
        "{\"avoid\": \"star\", \"operation\": \"barrier\", \"type\": \"int8\"} | a barrier has no type",
        "{\"pin\": \"gathering\", \"protocol\": \"rdma\"} | none of its algorithms takes a request"
            + " that the rule is for: needs direct links",
        "{\"pin\": \"gathering\", \"determinism\": \"same-sizes\"} | promises determinism",
        "{\"pin\": \"gathering\"}, {\"deny\": \"gathering\"} | none of its algorithms takes a"
            + " request that the rule is for: rules.json:1 denies gathering",
        "{\"pin\": \"gathering\", \"parameters\": {\"pieces\": 99}} | parameter 'pieces' must be 1 to 8"
      })
  void whatDoesNothingIsFound(String rules, String finding) throws IOException {
    Outcome outcome = lint(rules);
    assertThat(outcome.exitCode()).isEqualTo(2);
    assertThat(outcome.out()).contains(finding);
  }

  @Test
  void narrowerRulesBeforeWiderOnesAreFine() throws IOException {
    assertThat(lint("{\"deny\": \"star\", \"ranks\": 4}, {\"deny\": \"star\"}").exitCode())
        .isZero();
    // Each rule applies to the operations of its own algorithm.
    assertThat(lint("{\"deny\": \"gathering\"}, {\"deny\": \"star\"}").exitCode()).isZero();
  }

  @Test
  void measurementsOfWhatIsNotLoadedAreFound() throws IOException {
    Path file = directory.resolve("measured.json");
    Files.writeString(
        file,
        """
        {"format": "tutti-rules 1",
         "provenance": {"created": "", "machine": "", "processors": 1, "workers": 1, "java": 25,
           "spi": "0.1.0", "plugins": {}},
         "measurements": [{"operation": "allreduce", "ranks": 2, "inPlace": false,
           "algorithm": "a:gone", "version": "1", "micros": {"8": 1}}]}
        """);
    Outcome outcome =
        CommandLineHarness.withTestAlgorithms(plugins).call("lint", file.toString(), "--json");
    assertThat(outcome.exitCode()).isEqualTo(2);
    assertThat(JsonMapper.shared().readTree(outcome.out()).get("finding").asString())
        .isEqualTo(
            "measurements of allreduce a:gone, version 1, are ignored: it is not loaded; run 'tutti"
                + " tune' again");
  }

  @Test
  void aBrokenFileIsRefused() throws IOException {
    Outcome outcome = lint("{\"pin\": \"star\", \"byte\": 4}");
    assertThat(outcome.exitCode()).isEqualTo(2);
    assertThat(outcome.err())
        .startsWith("tutti: [TUTTI-102] rules.json:1: unknown field of a rule 'byte'");
  }
}
