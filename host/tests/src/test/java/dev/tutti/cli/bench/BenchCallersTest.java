package dev.tutti.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.cli.CommandLineHarness;
import dev.tutti.cli.CommandLineHarness.Outcome;
import dev.tutti.host.Context;
import dev.tutti.host.SampleAlgorithms;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Operations that are measured with a thread per rank. */
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BenchCallersTest {

  @TempDir private Path plugins;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "allreduce --ranks 1,2,3 --callers threads",
        "allreduce --ranks 3 --callers virtual --touch",
        "allreduce --ranks 2 --callers threads --memory heap --mode op-base --type int16 --op max",
        "reduce --ranks 3 --root 1 --callers threads --touch",
        "reducescatter --ranks 3 --callers threads",
        "allgather --ranks 2 --callers threads --memory native",
        "broadcast --ranks 3 --root 2 --callers threads",
        "broadcast --ranks 2 --callers virtual --touch",
        "gather --ranks 3 --root 2 --callers threads --touch",
        "scatter --ranks 3 --root 1 --callers threads --touch",
        "alltoall --ranks 3 --callers threads",
        "alltoallv --ranks 3 --callers threads --no-verify",
        "scan --ranks 3 --callers threads",
        "exclusivescan --ranks 3 --callers threads",
        "barrier --ranks 3 --callers threads",
        "send --ranks 4 --src 2 --dst 1 --callers threads --touch",
        "receive --ranks 2 --callers virtual"
      })
  void everyOperationIsMeasuredAndVerified(String arguments) {
    CommandLineHarness samples =
        new CommandLineHarness(plugins, () -> SampleAlgorithms.addTo(Context.builder()));

    Outcome outcome =
        bench(samples, arguments + (arguments.startsWith("barrier") ? "" : " --sizes 8,1K"));

    assertThat(outcome.err()).isEmpty();
    assertThat(outcome.exitCode()).isZero();
    List<JsonNode> rows = outcome.lines().stream().map(JsonMapper.shared()::readTree).toList();
    assertThat(rows)
        .isNotEmpty()
        .allSatisfy(
            row -> {
              assertThat(arguments).contains("--callers " + row.get("callers").asString());
              assertThat(row.get("algorithm").asString()).isEqualTo("pull");
              assertThat(row.get("verified").asBoolean())
                  .isEqualTo(!arguments.contains("--no-verify"));
              assertThat(row.get("iterations").asInt()).isGreaterThanOrEqualTo(5);
              assertThat(row.get("minMicros").asDouble()).isPositive();
              assertThat(row.get("b2bMicros").asDouble()).isPositive();
            });
  }

  @Test
  void theTableNamesTheCallers() {
    Outcome outcome =
        CommandLineHarness.withTestAlgorithms(plugins)
            .call(
                "bench",
                "broadcast",
                "--callers",
                "THREADS",
                "-n",
                "2",
                "--sizes",
                "4K",
                "--place",
                "out",
                "--seconds",
                "1ms",
                "--no-b2b");

    assertThat(outcome.exitCode()).isZero();
    assertThat(outcome.lines().stream().filter(line -> !line.startsWith("# ~"))).hasSize(4);
    assertThat(outcome.lines().get(1)).startsWith("# broadcast of float32; callers threads, mode");
    assertThat(outcome.lines().get(3)).matches(" +2 +4 KiB +1024  star .* ✓");
  }

  @ParameterizedTest
  @ValueSource(strings = {"threads", "virtual"})
  void aWrongResultEndsTheBenchmark(String callers) {
    Outcome outcome = benchOfTestAlgorithms("allreduce -a forgetful -n 2 --sizes 8", callers);

    assertThat(outcome.exitCode()).isEqualTo(1);
    assertThat(outcome.out()).isEmpty();
    assertThat(outcome.err())
        .startsWith("tutti: [TUTTI-307] allreduce ")
        .contains(":forgetful gives a wrong result (seed 42): rank 0, element 0: expected ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"threads", "virtual"})
  void aPluginThatFailsInTheCallsOfRanksEndsTheBenchmark(String callers) {
    Outcome outcome = benchOfTestAlgorithms("allreduce -a throwing -n 3 --sizes 8", callers);

    assertThat(outcome.exitCode()).isEqualTo(1);
    assertThat(outcome.out()).isEmpty();
    assertThat(outcome.err())
        .startsWith("tutti: [TUTTI-204] ")
        .contains("no idea how")
        .hasLineCount(1);
    assertThat(
            benchOfTestAlgorithms("allreduce -a throwing -n 3 --sizes 8 --stacktrace", callers)
                .err())
        .contains("RankHandle.run(", "no idea how");
  }

  @ParameterizedTest
  @ValueSource(strings = {"threads", "virtual"})
  void aPlanThatNeverEndsIsDiagnosed(String callers) {
    Outcome outcome = benchOfTestAlgorithms("allreduce -a stuck -n 2 --sizes 8", callers);

    assertThat(outcome.exitCode()).isEqualTo(1);
    assertThat(outcome.err()).startsWith("tutti: [TUTTI-205] ").contains("await FIN from rank");
  }

  private Outcome benchOfTestAlgorithms(String arguments, String callers) {
    CommandLineHarness tutti = CommandLineHarness.withTestAlgorithms(plugins);
    return bench(tutti, arguments + " --callers " + callers);
  }

  private static Outcome bench(CommandLineHarness tutti, String arguments) {
    List<String> all = new ArrayList<>(List.of("bench"));
    all.addAll(List.of(arguments.split(" ")));
    all.addAll(List.of("--seconds", "1ms", "--json"));
    return tutti.call(all.toArray(String[]::new));
  }
}
