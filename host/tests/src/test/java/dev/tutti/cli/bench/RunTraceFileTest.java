package dev.tutti.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.cli.CommandLineHarness;
import dev.tutti.cli.CommandLineHarness.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The files of {@code tutti run --trace}. */
final class RunTraceFileTest {

  @TempDir private Path plugins;
  @TempDir private Path directory;
  private Path file;
  private CommandLineHarness tutti;

  @BeforeEach
  void openTestAlgorithms() {
    tutti = CommandLineHarness.withTestAlgorithms(plugins);
    file = directory.resolve("run.json");
  }

  private Outcome run(String... more) {
    List<String> all =
        new ArrayList<>(
            List.of("run", "allreduce", "-a", "gathering", "-i", "2", "--trace", file.toString()));
    all.addAll(List.of(more));
    return tutti.call(all.toArray(String[]::new));
  }

  private List<JsonNode> events(String phase) throws IOException {
    JsonNode trace = JsonMapper.shared().readTree(Files.readString(file));
    assertThat(trace.get("displayTimeUnit").asString()).isEqualTo("ns");
    List<JsonNode> events = new ArrayList<>();
    trace.get("traceEvents").forEach(events::add);
    return events.stream().filter(event -> event.get("ph").asString().equals(phase)).toList();
  }

  private Set<String> processes() throws IOException {
    Set<String> names = new TreeSet<>();
    for (JsonNode event : events("M")) {
      if (event.get("name").asString().equals("process_name")) {
        names.add(event.get("args").get("name").asString());
      }
    }
    return names;
  }

  @Test
  void eachRankIsThereWithWhatItDidAndWhatWasExpected() throws IOException {
    Outcome outcome = run("--ranks", "3", "--count", "1000");

    assertThat(outcome.err()).isEmpty();
    assertThat(outcome.exitCode()).isZero();
    assertThat(outcome.lines()).contains("trace      one run of median time, in " + file);
    assertThat(processes())
        .containsExactly(
            "rank 0",
            "rank 0, expected",
            "rank 1",
            "rank 1, expected",
            "rank 2",
            "rank 2, expected");
    List<JsonNode> complete = events("X");
    assertThat(complete)
        .allSatisfy(
            event -> {
              assertThat(event.get("cat").asString()).isIn("data", "await");
              assertThat(event.get("ts").asDouble()).isNotNegative();
              assertThat(event.get("dur").asDouble()).isNotNegative();
              assertThat(event.get("args").get("source").asString()).contains("TestAlgorithms");
            });
    Set<String> ofRanks = new TreeSet<>();
    for (JsonNode event : complete) {
      if (event.get("cat").asString().equals("data")) {
        ofRanks.add(event.get("pid").asString() + " " + event.get("tid").asString());
      }
    }
    assertThat(ofRanks).containsExactly("0 0", "1 0", "2 0", "3 0", "4 0", "5 0");
    assertThat(complete)
        .anySatisfy(
            event -> {
              assertThat(event.get("cat").asString()).isEqualTo("await");
              assertThat(event.get("args").get("awaits").get(0).asString())
                  .matches("await [A-Z_]+ from rank \\d");
            });
    assertThat(directory.toFile().list()).containsExactly("run.json");
  }

  @ParameterizedTest
  @ValueSource(strings = {"threads", "virtual"})
  void callsOfRanksAreTracedToo(String callers) throws IOException {
    Outcome outcome = run("--ranks", "3", "--count", "1000", "--callers", callers);

    assertThat(outcome.exitCode()).as(outcome.err()).isZero();
    assertThat(outcome.lines()).contains("trace      one run of median time, in " + file);
    assertThat(processes()).hasSize(6).contains("rank 2", "rank 2, expected");
    Set<String> lists = new TreeSet<>();
    for (JsonNode event : events("X")) {
      int process = event.get("pid").asInt();
      if (process % 2 == 0 && event.get("cat").asString().equals("data")) {
        lists.add(process / 2 + " in list " + event.get("args").get("list").asInt());
      }
    }
    assertThat(lists).containsExactly("0 in list 0", "1 in list 1", "2 in list 2");
  }

  @Test
  void ofSeveralNodesTheNetworkIsExpected() throws IOException {
    Outcome outcome = run("--topology", "2+1", "--count", "100", "--json");

    assertThat(outcome.exitCode()).as(outcome.err()).isZero();
    assertThat(outcome.lines()).hasSize(1);
    assertThat(processes()).hasSize(6);
  }

  @Test
  void aFileThatIsThereIsReplaced() throws IOException {
    Files.writeString(file, "not JSON");

    assertThat(run("--count", "10", "--no-verify").exitCode()).isZero();

    assertThat(processes()).contains("rank 0", "rank 3, expected");
  }

  @Test
  void whatCannotBeWrittenIsRefusedBeforeAnythingIsMeasured() {
    Path missing = directory.resolve("missing").resolve("run.json");
    file = missing;
    Outcome outcome = run();
    assertThat(outcome.exitCode()).isNotZero();
    assertThat(outcome.out()).isEmpty();
    assertThat(outcome.err())
        .startsWith("tutti: [TUTTI-308] cannot write the trace file " + missing + ": ");

    file = directory;
    assertThat(run().err()).contains("[TUTTI-308]", "it is a directory");
    assertThat(directory.toFile().list()).isEmpty();
  }

  @Test
  void aRunWithAWrongResultLeavesNoFile() {
    Outcome outcome = tutti.call("run", "allreduce", "-a", "forgetful", "--trace", file.toString());

    assertThat(outcome.exitCode()).isNotZero();
    assertThat(directory.toFile().list()).isEmpty();
  }
}
