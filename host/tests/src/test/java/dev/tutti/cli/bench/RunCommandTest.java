package dev.tutti.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.cli.CommandLineHarness;
import dev.tutti.cli.CommandLineHarness.Outcome;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class RunCommandTest {

  private static final List<String> KEYS =
      List.of(
          "operation",
          "algorithm",
          "plugin",
          "version",
          "ranks",
          "bytes",
          "count",
          "type",
          "op",
          "mode",
          "protocol",
          "inPlace",
          "iterations",
          "minMicros",
          "medianMicros",
          "p95Micros",
          "algbwGBps",
          "busbwGBps",
          "verified");

  @TempDir private Path plugins;
  private CommandLineHarness tutti;

  @BeforeEach
  void openTestAlgorithms() {
    tutti = CommandLineHarness.withTestAlgorithms(plugins);
  }

  /** Every way to run it, and one without an average. */
  @Test
  void averagesAreComparedWithAverages() {
    for (String type : List.of("float", "bfloat16", "int8", "uint64")) {
      Outcome outcome =
          tutti.call(
              "run",
              "allreduce/gathering",
              "-t",
              type,
              "--op",
              "avg",
              "-i",
              "3",
              "-n",
              "3",
              "--json");
      assertThat(outcome.err()).isEmpty();
      JsonNode row = JsonMapper.shared().readTree(outcome.out());
      assertThat(row.get("op").asString()).isEqualTo("avg");
      assertThat(row.get("verified").asBoolean()).isTrue();
    }
    Outcome wrong = tutti.call("run", "allreduce/forgetful", "--op", "avg", "-i", "3", "-n", "3");
    assertThat(wrong.exitCode()).isEqualTo(1);
    assertThat(wrong.err()).startsWith("tutti: [TUTTI-307] ");
    assertThat(tutti.call("run", "allreduce/gathering", "--op", "avg", "-i", "3").lines())
        .contains("operation  allreduce avg");
  }

  @Test
  void anAlgorithmMayBeNamedWithItsOperation() {
    Outcome outcome =
        tutti.call("run", "allreduce/gathering", "--type", "double", "--iterations", "3");

    assertThat(outcome.err()).isEmpty();
    assertThat(outcome.exitCode()).isZero();
    assertThat(outcome.lines())
        .contains(
            "algorithm  gathering",
            "note       3 runs are too few for a reliable median; use 6 or more with --iterations")
        .anyMatch(it -> it.contains("float64"));
  }

  @Test
  void anAllReduceIsVerifiedAndShown() {
    Outcome outcome =
        tutti.call("run", "allreduce", "-a", "gathering", "--count", "1000", "--iterations", "3");

    assertThat(outcome.err()).isEmpty();
    assertThat(outcome.exitCode()).isZero();
    assertThat(outcome.lines())
        .contains(
            "operation  allreduce sum",
            "algorithm  gathering",
            "ranks      4",
            "data       3.91 KiB a rank, count 1000 × float32",
            "memory     registered, out of place",
            "mode       graph",
            "protocol   direct",
            "verified   ✓ every element of every rank against the reference of the testkit (seed 42)",
            "verified   ✓ again after timing, on other data (seed 43)")
        .anyMatch(line -> line.matches("time +min .* µs, median .* µs, p95 .* µs \\(3 runs\\)"))
        .anyMatch(line -> line.matches("bandwidth +algbw .* GB/s, busbw .* GB/s"));
  }

  @Test
  void jsonHasExactlyTheAgreedKeysFirst() {
    Outcome outcome = runAsJson("allreduce", "-a", "gathering", "-n", "3", "-c", "5", "-i", "2");

    assertThat(outcome.exitCode()).isZero();
    assertThat(outcome.lines()).hasSize(1);
    JsonNode measurement = JsonMapper.shared().readTree(outcome.out());
    assertThat(new ArrayList<>(measurement.propertyNames()).subList(0, KEYS.size()))
        .isEqualTo(KEYS);
    assertThat(measurement.get("operation").asString()).isEqualTo("allreduce");
    assertThat(measurement.get("algorithm").asString()).isEqualTo("gathering");
    assertThat(measurement.get("ranks").asInt()).isEqualTo(3);
    assertThat(measurement.get("bytes").asLong()).isEqualTo(20);
    assertThat(measurement.get("count").asLong()).isEqualTo(5);
    assertThat(measurement.get("type").asString()).isEqualTo("float32");
    assertThat(measurement.get("op").asString()).isEqualTo("sum");
    assertThat(measurement.get("mode").asString()).isEqualTo("graph");
    assertThat(measurement.get("protocol").asString()).isEqualTo("direct");
    assertThat(measurement.get("inPlace").asBoolean()).isFalse();
    assertThat(measurement.get("iterations").asInt()).isEqualTo(2);
    assertThat(measurement.get("minMicros").asDouble()).isPositive();
    assertThat(measurement.get("verified").asBoolean()).isTrue();
  }

  @Test
  void bandwidthsFollowFromTheMedian() {
    Outcome outcome = runAsJson("allreduce", "-a", "gathering", "-b", "64K", "-i", "5");

    JsonNode measurement = JsonMapper.shared().readTree(outcome.out());
    double algbw = 65536 / measurement.get("medianMicros").asDouble() / 1000;
    assertThat(measurement.get("algbwGBps").asDouble())
        .isCloseTo(algbw, org.assertj.core.data.Percentage.withPercentage(0.1));
    assertThat(measurement.get("busbwGBps").asDouble())
        .isCloseTo(algbw * 1.5, org.assertj.core.data.Percentage.withPercentage(0.1));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "allreduce -a gathering --in-place",
        "allreduce -a gathering --mode op-base --ccl-buffer 256 --count 333",
        "allreduce -a gathering --ranks 1",
        "allreduce -a gathering --count 0",
        "allreduce -a gathering --topology 2+1",
        "allreduce -a gathering --memory heap --type uint8 --op bxor",
        "allreduce -a gathering --memory native --type bfloat16 --op max",
        "allreduce -a gathering --param pieces=2 --workers 1",
        "broadcast --root 2",
        "broadcast --root 1 --in-place --memory native",
        "send --src 1 --dst 3",
        "receive --count 7 --protocol rdma",
        "Send-Receive --src 3"
      })
  void everyFormIsVerified(String arguments) {
    Outcome outcome = runAsJson((arguments + " --iterations 2").split(" "));

    assertThat(outcome.err()).isEmpty();
    assertThat(outcome.exitCode()).isZero();
    assertThat(JsonMapper.shared().readTree(outcome.out()).get("verified").asBoolean()).isTrue();
  }

  @Test
  void aWrongResultEndsWithOneLineAndCodeOne() {
    Outcome outcome = runAsJson("allreduce", "-a", "forgetful", "-n", "2", "-c", "1", "-i", "1");

    assertThat(outcome.exitCode()).isEqualTo(1);
    assertThat(outcome.out()).isEmpty();
    assertThat(outcome.err().lines())
        .singleElement()
        .asString()
        .startsWith("tutti: [TUTTI-307] allreduce ")
        .contains(
            ":forgetful gives a wrong result (seed 42): rank 0, element 0: expected ", ", actual ");
  }

  @Test
  void aWrongResultIsNotSeenUnverified() {
    Outcome outcome =
        runAsJson("allreduce", "-a", "forgetful", "-c", "4", "-i", "1", "--no-verify");

    assertThat(outcome.exitCode()).isZero();
    assertThat(JsonMapper.shared().readTree(outcome.out()).get("verified").asBoolean()).isFalse();
  }

  @Test
  void aFailingExecutorEndsWithCodeOne() {
    Outcome outcome = tutti.call("run", "allreduce", "-a", "throwing");

    assertThat(outcome.exitCode()).isEqualTo(1);
    assertThat(outcome.err())
        .startsWith("tutti: [TUTTI-204] ")
        .contains("no idea how")
        .hasLineCount(1);
  }

  @Test
  void aStackTraceIsShownOnRequestOnly() {
    Outcome outcome = tutti.call("run", "allreduce", "-a", "throwing", "--stacktrace");

    assertThat(outcome.exitCode()).isEqualTo(1);
    assertThat(outcome.err()).contains("Caused by: ").contains("\tat ");
  }

  @Test
  void aDeadlockIsDiagnosed() {
    Outcome outcome = tutti.call("run", "allreduce", "-a", "stuck", "-n", "2", "--deadline", "2s");

    assertThat(outcome.exitCode()).isEqualTo(1);
    assertThat(outcome.err()).startsWith("tutti: [TUTTI-205] ").contains("await FIN from rank");
  }

  private Outcome runAsJson(String... arguments) {
    List<String> all = new ArrayList<>(List.of("run"));
    all.addAll(List.of(arguments));
    all.add("--json");
    return tutti.call(all.toArray(String[]::new));
  }
}
