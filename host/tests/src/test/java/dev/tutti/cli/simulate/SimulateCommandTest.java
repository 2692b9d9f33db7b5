package dev.tutti.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.cli.CommandLineHarness;
import dev.tutti.cli.CommandLineHarness.Outcome;
import dev.tutti.cli.TestAlgorithms;
import dev.tutti.cli.verify.VerifyAlgorithms;
import dev.tutti.engine.machine.MachineLayout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class SimulateCommandTest {

  private static final String NETWORK =
      """
      {
        "format": "tutti-network/1",
        "topology": {"nodes": [2, 1]},
        "levels": {
          "level0": {"latency": "1 us", "bandwidth": "1 GB/s"},
          "level1": {"latency": "10 us", "bandwidth": "1 GB/s"}
        }
      }
      """;

  @TempDir private Path plugins;
  @TempDir private Path files;
  private CommandLineHarness tutti;

  @BeforeEach
  void openTestAlgorithms() {
    tutti = CommandLineHarness.withTestAlgorithms(plugins);
  }

  @Test
  void oneSimulationIsShownInFull() {
    Outcome outcome = tutti.call("simulate", "star", "-n", "3", "-c", "250", "--alpha", "1us");

    assertThat(outcome.err()).isEmpty();
    assertThat(outcome.exitCode()).isZero();
    assertThat(outcome.lines().getFirst()).startsWith("star broadcast ranks=3 count=250 float32");
    assertThat(outcome.out())
        .contains("lower bound", "bus bandwidth", "critical path", "TestAlgorithms.java:");
  }

  @Test
  void thePlainModelIsThatOfThePaper() {
    JsonNode transfer =
        json("plain", "-n", "2", "-c", "250", "--alpha", "1.5us", "--beta", "1GB/s").getFirst();

    assertThat(transfer.get("operation").asString()).isEqualTo("send");
    assertThat(transfer.get("partner").asString()).isEqualTo("embedded:plain");
    assertThat(transfer.get("bytes").asLong()).isEqualTo(1000);
    assertThat(transfer.get("timeMicros").asDouble()).isEqualTo(2.5);
    assertThat(transfer.get("lowerBoundMicros").asDouble()).isEqualTo(2.5);
    assertThat(transfer.get("busbwGBps").asDouble()).isEqualTo(0.4);
    assertThat(transfer.get("simulation").get("timePs").asLong()).isEqualTo(2_500_000);
    assertThat(transfer.get("simulation").get("perRank").size()).isEqualTo(2);
  }

  @Test
  void reducedBytesCostWhatGammaSays() {
    String[] terms = {"gathering", "-n", "2", "-c", "250", "--alpha", "1us", "--gamma", "1GB/s"};

    // One message of a fused reduction of two operands.
    assertThat(json(terms).getFirst().get("timeMicros").asDouble()).isEqualTo(2);
  }

  @Test
  void aNetworkFileSaysWhereTheRanksAre() throws IOException {
    Path file = Files.writeString(files.resolve("net.json"), NETWORK);

    JsonNode near = json("plain", "--topology", file.toString(), "-c", "250").getFirst();
    JsonNode far =
        json("plain", "--topology", file.toString(), "-c", "250", "--root", "1").getFirst();

    assertThat(near.get("topology").asString()).isEqualTo("2+1");
    assertThat(near.get("timeMicros").asDouble()).isEqualTo(2);
    assertThat(far.get("timeMicros").asDouble()).isEqualTo(11);
  }

  @Test
  void aShapeIsATopologyToo() {
    JsonNode row = json("star", "--topology", "2+1", "-c", "1").getFirst();

    assertThat(row.get("topology").asString()).isEqualTo("2+1");
    assertThat(row.get("ranks").asInt()).isEqualTo(3);
    JsonNode found = json("star", "--topology", "found", "-n", "5", "-c", "1").getFirst();
    assertThat(found.get("topology").asString())
        .isEqualTo(MachineLayout.found().topology(5).toString());
  }

  @Test
  void severalSizesAreATable() {
    Outcome outcome = tutti.call("simulate", "star", "-n", "3", "--bytes", "4K,1M");

    assertThat(outcome.exitCode()).isZero();
    assertThat(outcome.lines()).hasSize(3);
    assertThat(outcome.lines().get(0))
        .matches(" +operation +algorithm +ranks +size +count +time µs +× bound .* messages");
    assertThat(outcome.lines().get(1)).matches(" +broadcast +embedded:star +3 +4 KiB +1024 .*");
    assertThat(outcome.lines().get(2)).matches(" +broadcast +embedded:star +3 +1 MiB +262144 .*");
  }

  @Test
  void withoutASizeItIsAMebibyte() {
    assertThat(json("star").getFirst().get("bytes").asLong()).isEqualTo(1 << 20);
    assertThat(json("star").getFirst().get("ranks").asInt()).isEqualTo(4);
  }

  @Test
  void anOptionNamesTheAlgorithmOfAnOperation() {
    String[] size = {"-n", "3", "-c", "9"};

    Outcome named = tutti.call(words("simulate allreduce/gathering", size));
    for (String option : List.of("--algorithm gathering", "-a embedded:gathering")) {
      Outcome outcome = tutti.call(words("simulate allreduce " + option, size));
      assertThat(outcome.err()).isEmpty();
      assertThat(outcome.out()).isEqualTo(named.out()).startsWith("gathering allreduce ranks=3");
    }
    Outcome compared = tutti.call(words("simulate allreduce -a gathering --compare", size));
    assertThat(compared.out()).contains("embedded:forgetful");
  }

  private static String[] words(String command, String... more) {
    List<String> words = new ArrayList<>(List.of(command.split(" ")));
    words.addAll(List.of(more));
    return words.toArray(String[]::new);
  }

  @ParameterizedTest
  @CsvSource({"2, 16", "8, 1048576", "2+2, 1024", "4+4|4+4, 65536"})
  void anOperationMeansTheAlgorithmThatARunTakes(String topology, String bytes) {
    String[] request = {"allreduce", "--topology", topology, "--bytes", bytes};

    List<JsonNode> rows = json(request);

    assertThat(rows).hasSize(1);
    assertThat(rows.getFirst().get("algorithm").asString()).isEqualTo(chosen(request));
  }

  /** What {@code explain} says of a run in the mode that is simulated. */
  private String chosen(String... request) {
    List<String> all = new ArrayList<>(List.of("explain"));
    all.addAll(List.of(request));
    all.addAll(List.of("--mode", "graph", "--json"));
    Outcome outcome = tutti.call(all.toArray(String[]::new));
    for (String line : outcome.lines()) {
      JsonNode candidate = JsonMapper.shared().readTree(line);
      if (candidate.get("isChosen").asBoolean()) {
        return candidate.get("algorithm").asString();
      }
    }
    throw new AssertionError(outcome.out());
  }

  @Test
  void anAlgorithmThatFailsDoesNotHideTheOthers() {
    Outcome outcome = tutti.call("simulate", "stuck", "--compare", "-n", "2", "-c", "4");

    assertThat(outcome.exitCode()).isEqualTo(1);
    assertThat(outcome.lines())
        .anyMatch(line -> line.matches("→ +allreduce +embedded:forgetful .*"))
        .anyMatch(line -> line.matches(" +allreduce +embedded:throwing .* failed .*"))
        .anyMatch(line -> line.startsWith("allreduce embedded:throwing failed: orchestrate of "));
    assertThat(outcome.err()).startsWith("tutti: [TUTTI-205] ").hasLineCount(1);
  }

  @Test
  void competitorsOfOneSizeStandTogether() {
    CommandLineHarness two =
        new CommandLineHarness(
            plugins,
            () ->
                dev.tutti.host.Context.builder()
                    .algorithm(new TestAlgorithms.Gathering())
                    .algorithm(new TestAlgorithms.Forgetful())
                    .algorithm(new VerifyAlgorithms.Refusing()));

    Outcome outcome =
        two.call("simulate", "allreduce", "--compare", "-n", "2", "-c", "4,8", "--alpha", "1us");

    assertThat(outcome.exitCode()).isZero();
    assertThat(outcome.lines())
        .satisfiesExactly(
            line -> assertThat(line).contains("time µs"),
            line -> assertThat(line).startsWith("→").contains("forgetful").contains(" 4 "),
            line -> assertThat(line).startsWith(" ").contains("gathering"),
            line -> assertThat(line).startsWith(" ").contains("refusing").contains("refused"),
            line -> assertThat(line).startsWith("→").contains("forgetful").contains(" 8 "),
            line -> assertThat(line).startsWith(" ").contains("gathering"),
            line -> assertThat(line).startsWith(" ").contains("refusing"),
            line ->
                assertThat(line).isEqualTo("allreduce embedded:refusing refused: takes nothing"));
  }

  @Test
  void aTraceIsJson() throws IOException {
    Path file = files.resolve("trace.json");

    Outcome outcome = tutti.call("simulate", "star", "-n", "2", "--trace", file.toString());

    assertThat(outcome.exitCode()).isZero();
    JsonNode trace = JsonMapper.shared().readTree(Files.readString(file));
    assertThat(trace.get("traceEvents").size()).isGreaterThan(5);
  }

  @Test
  void aTraceThatCannotBeWrittenIsAnEnvironmentProblem() {
    Path file = files.resolve("missing").resolve("trace.json");

    Outcome outcome = tutti.call("simulate", "star", "-n", "2", "--trace", file.toString());

    assertThat(outcome.exitCode()).isEqualTo(3);
    assertThat(outcome.err()).startsWith("tutti: [TUTTI-308] cannot write the trace file " + file);
  }

  @Test
  void aPlanThatCannotFinishIsDiagnosed() {
    Outcome outcome = tutti.call("simulate", "stuck", "-n", "2");

    assertThat(outcome.exitCode()).isEqualTo(1);
    assertThat(outcome.err()).startsWith("tutti: [TUTTI-205] ").contains("cannot be simulated");
  }

  @Test
  void optionsReachTheCase() {
    JsonNode row =
        json(
                "gathering",
                "-n",
                "2",
                "-c",
                "64",
                "-t",
                "int32",
                "-o",
                "max",
                "--mode",
                "op-base",
                "--ccl-buffer",
                "256",
                "--param",
                "pieces=2")
            .getFirst();

    assertThat(row.get("case").asString())
        .isEqualTo(
            "allreduce;ranks=2;count=64;type=int32;op=max;mode=op-base;protocol=direct;ccl=256;"
                + "param.pieces=2");
  }

  /** Arguments, and how the first line of the answer starts. */
  @ParameterizedTest
  @CsvSource(
      delimiterString = " => ",
      value = {
        "gatherin => [TUTTI-102] unknown algorithm or operation 'gatherin'; did you mean"
            + " 'gathering'?",
        "allreduce --algorithm gatherin => [TUTTI-102] unknown allreduce algorithm 'gatherin'; did"
            + " you mean 'gathering'? (known: forgetful, gathering, stuck, throwing)",
        "allreduc --algorithm gathering => [TUTTI-102] unknown algorithm or operation 'allreduc';"
            + " did you mean 'allreduce'?",
        "allreduce/gathering -a stuck => [TUTTI-101] allreduce/gathering and --algorithm stuck both"
            + " say which algorithm; leave one out",
        "gathering --algorithm stuck => [TUTTI-101] gathering and --algorithm stuck both say which"
            + " algorithm; leave one out",
        "gathering --protocol rdma -n 2 => [TUTTI-201] none of the chosen algorithms takes"
            + " allreduce ranks=2",
        "star --op max => [TUTTI-101] broadcast does not take --op; leave it out",
        "gathering --root 1 => [TUTTI-101] allreduce does not take --root; leave it out",
        "star --bytes 8 --count 2 => [TUTTI-101] --count and --bytes exclude each other; give one",
        "star --bytes 6 => [TUTTI-105] --bytes must be a multiple of 4",
        "star --ranks 0 => [TUTTI-104] --ranks must be 1 or more. Actual: 0",
        "plain --ranks 1 => [TUTTI-104] a transfer needs 2 ranks or more. Actual: 1",
        "star --ranks 3 --topology 8+4 => [TUTTI-101] --ranks and --topology contradict each other",
        "star --topology nowhere.json => [TUTTI-101] --topology takes a network file, or a shape"
            + " such as 8+4. Actual: 'nowhere.json', which is neither a shape nor a file",
        "star --network nowhere.json => [TUTTI-101] --network takes a network file, or a shape"
            + " such as 8+4. Actual: 'nowhere.json', which is neither a shape nor a file",
        "star --network=nowhere.json => [TUTTI-101] --network takes a network file",
        "star --ranks 3 --network 8+4 => [TUTTI-101] --ranks and --network contradict each other:"
            + " --ranks is 3, --network 8+4 has 12 ranks; give one of them",
        "star --network 8++4 => [TUTTI-101] --network: '8++4' is not a topology such as 8+4",
        "star --topology 8++4 => [TUTTI-101] --topology: '8++4' is not a topology such as 8+4",
        "star --topology 8*4 => [TUTTI-101] --topology takes a network file, or a shape such as 8+4."
            + " Actual: '8*4', which is neither a shape nor a file",
        "star --topology src => [TUTTI-101] --topology takes a network file, or a shape such as 8+4."
            + " Actual: 'src', which is not a file",
        "scan => [TUTTI-201] no plugin has an algorithm for scan; the plugins have algorithms for:",
        "./star => [TUTTI-101] simulate takes the name of an algorithm or an operation, and the"
            + " plugins from the directory of --plugins. Actual: './star'",
        "star broadcast => [TUTTI-101] 'broadcast' is one argument too many; leave it out",
        "--ranks 3 => [TUTTI-101] tutti simulate takes <algorithm>; name it",
        "star --topology nowhere.json --alpha 1us => [TUTTI-101] --alpha, --beta and --gamma are"
            + " the plain model, and nowhere.json is a network file; leave one of them out",
        "star --alpha soon => [TUTTI-101] --alpha takes a time such as 1.5us",
        "star --alpha 1parsec => [TUTTI-101] --alpha takes a time such as 1.5us",
        "star --alpha 99999999999999999999us => [TUTTI-101] --alpha must be at most 106 days",
        "star --alpha 0.0001ps => [TUTTI-101] --alpha must be a whole number of picoseconds",
        "star --beta 99999999999999999999.1GB/s => [TUTTI-101] --beta has too many digits",
        "star --beta 25 => [TUTTI-101] --beta takes a bandwidth such as 25GB/s",
        "star --gamma 0GB/s => [TUTTI-101] --gamma takes a bandwidth such as 50GB/s",
        "gathering --param peices=2 => [TUTTI-102] unknown algorithm parameter 'peices'; did you",
        "star --bytes 4,8 --trace x.json => [TUTTI-101] --trace takes one simulation; name one",
      })
  void badInputIsAnsweredWithCodeTwo(String arguments, String message) {
    List<String> all = new ArrayList<>(List.of("simulate"));
    all.addAll(List.of(arguments.split(" ")));

    Outcome outcome = tutti.call(all.toArray(String[]::new));

    assertThat(outcome.err().lines().findFirst().orElse("")).startsWith("tutti: " + message);
    assertThat(outcome.exitCode()).isEqualTo(2);
    assertThat(outcome.out()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"--network", "--topology"})
  void aWrongNetworkFileIsToldByTheOptionThatNamesIt(String option) throws IOException {
    Path file = Files.writeString(files.resolve("net.json"), "{\"a\": 1}");

    Outcome outcome = tutti.call("simulate", "star", option, file.toString());

    assertThat(outcome.exitCode()).isEqualTo(2);
    assertThat(outcome.err()).startsWith("tutti: [TUTTI-101] " + option + ": " + file + ", line 1");
  }

  @Test
  void aWrongNetworkFileSaysWhere() throws IOException {
    Path file =
        Files.writeString(
            files.resolve("net.json"), NETWORK.replace("\"latency\": \"1 us\"", "\"latncy\": 1"));

    Outcome outcome = tutti.call("simulate", "star", "--topology", file.toString());

    assertThat(outcome.exitCode()).isEqualTo(2);
    assertThat(outcome.err()).startsWith("tutti: [TUTTI-102] ").contains("latncy", "latency");
  }

  private List<JsonNode> json(String... arguments) {
    List<String> all = new ArrayList<>(List.of("simulate"));
    all.addAll(List.of(arguments));
    all.add("--json");
    Outcome outcome = tutti.call(all.toArray(String[]::new));
    assertThat(outcome.err()).isEmpty();
    return outcome.lines().stream().map(JsonMapper.shared()::readTree).toList();
  }
}
