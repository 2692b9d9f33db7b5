package dev.tutti.cli.tune;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.cli.CommandLineHarness;
import dev.tutti.cli.CommandLineHarness.Outcome;
import dev.tutti.engine.machine.MachineModel;
import dev.tutti.host.pool.rules.Calibration;
import dev.tutti.host.pool.rules.Provenance;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@Timeout(600)
class ModelTuningTest {

  @TempDir private Path plugins;
  @TempDir private Path directory;
  private CommandLineHarness tutti;
  private Path file;

  @BeforeEach
  void openTestAlgorithms() {
    tutti = CommandLineHarness.withTestAlgorithms(plugins);
    file = directory.resolve("machine.json");
  }

  private Outcome explain() {
    return tutti.call("explain", "allreduce", "-n", "2", "-b", "64", "--machine", file.toString());
  }

  private void replace(String old, String replacement) throws IOException {
    Files.writeString(file, Files.readString(file).replace(old, replacement));
  }

  @Test
  void whatWasMeasuredIsWrittenAndDecidesFromThenOn() throws IOException {
    Outcome outcome = tutti.call("tune", "--model", "--budget", "1s", "--output", file.toString());

    assertThat(outcome.exitCode()).isZero();
    assertThat(outcome.lines().getFirst()).startsWith("plan ");
    assertThat(outcome.lines().getLast()).startsWith("wrote " + file);
    Calibration made = Calibration.read(file);
    assertThat(made.origin()).isEqualTo(file.toString());
    assertThat(made.error()).isPositive();
    assertThat(made.model()).isNotEqualTo(MachineModel.defaults());
    assertThat(made.provenance().differencesTo(made.provenance())).isEmpty();

    Outcome explained = explain();
    assertThat(explained.err()).isEmpty();
    assertThat(explained.lines().getLast())
        .isEqualTo("machine model: " + made)
        .startsWith("machine model: " + file + ", of 20")
        .containsPattern(", mean error \\d+ %$");

    replace("\"processors\":", "\"processors\":10");
    Outcome foreign = explain();
    assertThat(foreign.err())
        .contains(file + " was measured elsewhere and is ignored: number of processors 10")
        .contains("; run 'tutti tune --model' here");
    assertThat(foreign.lines().getLast()).isEqualTo("machine model: built in");
  }

  @Test
  void aFileIsReadAsItWasWritten() {
    Calibration made =
        new Calibration(
            MachineModel.defaults(), Provenance.here(3, Map.of()), 0.125, file.toString());
    made.write(file);
    assertThat(Calibration.read(file)).isEqualTo(made);
  }

  @Test
  void brokenFilesAreRefused() throws IOException {
    aFileIsReadAsItWasWritten();
    String whole = Files.readString(file);
    List<String[]> changes =
        List.of(
            new String[] {
              "tutti-machine 1", "tutti-machine 2", "TUTTI-110] machine.json: 'format'"
            },
            new String[] {
              "\"task\": 8.5", "\"task\": -1", "TUTTI-110] machine.json: costs must be"
            },
            new String[] {"\"task\"", "\"tusk\"", "did you mean 'task'?"},
            new String[] {"\"task\": 8.5", "\"task\": \"x\"", "'task' must be a number"},
            new String[] {"786432", "4", "the bytes of levels must ascend"},
            new String[] {"\"error\": 0.125", "\"error\": -1", "the error of a machine model"},
            new String[] {"\"levels\"", "\"levels\": [}", "is not valid JSON"});
    for (String[] change : changes) {
      Files.writeString(file, whole.replace(change[0], change[1]));
      Outcome refused = explain();
      assertThat(refused.exitCode()).as(change[1]).isNotZero();
      assertThat(refused.err()).as(change[1]).contains(change[2]);
    }
    Files.delete(file);
    assertThat(explain().err()).contains("the machine file " + file + " cannot be read");
  }

  @Test
  void aDryRunWritesNothingAndShowsEveryPlan() throws IOException {
    Path csv = plugins.resolve("rows.csv");
    Outcome outcome =
        tutti.call(
            "tune", "--model", "--budget", "1s", "--dry-run", "--json", "--csv", csv.toString());
    List<JsonNode> rows = outcome.lines().stream().map(JsonMapper.shared()::readTree).toList();
    assertThat(rows)
        .hasSizeGreaterThan(50)
        .allSatisfy(row -> assertThat(row.get("micros").asDouble()).isPositive())
        .allSatisfy(row -> assertThat(row.get("fittedMicros").asDouble()).isPositive());
    assertThat(Files.readAllLines(csv)).hasSize(1 + rows.size());
    assertThat(directory).isEmptyDirectory();
    assertThat(tutti.call("tune", "--model", "--dry-run", "--output", file.toString()).err())
        .startsWith("tutti: [TUTTI-101] --dry-run writes nothing; ");
    Path nowhere = directory.resolve("missing").resolve("machine.json");
    assertThat(tutti.call("tune", "--model", "--output", nowhere.toString()).err())
        .startsWith("tutti: [TUTTI-308] cannot write the machine file ");
  }
}
