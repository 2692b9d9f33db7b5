package dev.tutti.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.cli.CommandLineHarness.Outcome;
import dev.tutti.host.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@Timeout(600)
class ServeCommandTest {

  @TempDir private Path directory;
  private Path plugins;

  @BeforeEach
  void makePluginsDirectory() throws IOException {
    plugins = Files.createDirectory(directory.resolve("plugins"));
  }

  @Test
  void aHostSaysWhatItServesAndEndsWhenItIsAskedTo() throws Exception {
    try (ServedHost host = ServedHost.start(plugins)) {
      assertThat(host.out())
          .startsWith("serving 7 algorithms from " + plugins + " (pid ")
          .contains("); stop it with ")
          .endsWith("--stop --state " + host.state() + "'\n")
          .hasLineCount(1);
      assertThat(host.state().resolve("control.sock")).exists();

      Outcome outcome = host.call("serve", "--stop");

      assertThat(outcome).isEqualTo(new Outcome(0, "stopping\n", ""));
      assertThat(host.exitCode()).isZero();
      assertThat(host.out()).endsWith("stopped\n");
      assertThat(host.err()).isEmpty();
      assertThat(host.state()).isEmptyDirectory();
    }
  }

  @Test
  void commandsRunInTheHost() throws Exception {
    try (ServedHost host = ServedHost.start(plugins)) {
      Outcome run =
          host.call(
              "run", "allreduce", "-a", "gathering", "-n", "3", "-i", "2", "--live", "--json");
      assertThat(run.err()).isEmpty();
      assertThat(run.exitCode()).isZero();
      JsonNode measurement = JsonMapper.shared().readTree(run.out());
      assertThat(measurement.get("ranks").asInt()).isEqualTo(3);
      assertThat(measurement.get("verified").asBoolean()).isTrue();

      assertThat(host.call("algorithms", "broadcast", "--live").lines())
          .first()
          .asString()
          .startsWith("operation  algorithm");
      assertThat(host.call("plan", "allreduce", "-a", "gathering", "-n", "2", "--live").out())
          .contains("rank 1");
      assertThat(host.call("explain", "allreduce", "--live", "-n", "2").out())
          .contains("gathering");
      Outcome bench =
          host.call(
              "bench", "-a", "gathering", "--sizes", "8", "-n", "2", "--live", "--seconds", "10ms");
      assertThat(bench.err()).isEmpty();
      assertThat(bench.out()).contains("allreduce");
    }
  }

  @Test
  void aPlanFileIsNotForAHostThatServes() throws Exception {
    try (ServedHost host = ServedHost.start(plugins)) {
      String plan = directory.resolve("plan.json").toString();
      assertThat(host.call("plan", "broadcast/star", "-n", "2", "-f", "json", "--output", plan))
          .isEqualTo(new Outcome(0, "", ""));

      for (String command : List.of("plan", "run")) {
        assertThat(host.call(command, plan, "--live").err())
            .isEqualTo(
                "tutti: [TUTTI-101] "
                    + plan
                    + " holds one plan for one request; leave out --live\n");
      }
    }
  }

  @Test
  void errorsAndExitCodesComeFromTheHost() throws Exception {
    try (ServedHost host = ServedHost.start(plugins)) {
      Outcome wrong = host.call("run", "allreduce", "-a", "forgetful", "-c", "1", "--live");
      assertThat(wrong.exitCode()).isEqualTo(1);
      assertThat(wrong.err()).startsWith("tutti: [TUTTI-307] ").hasLineCount(1);

      Outcome unknown = host.call("run", "allreduce", "-a", "rong", "--live");
      assertThat(unknown.exitCode()).isEqualTo(2);
      assertThat(unknown.err()).startsWith("tutti: [TUTTI-102] ");
    }
  }

  @Test
  void pathsStartInTheDirectoryOfTheClient() throws Exception {
    try (ServedHost host = ServedHost.start(plugins)) {
      Path relative = Path.of("").toAbsolutePath().relativize(directory.resolve("plan.json"));

      Outcome outcome =
          host.call(
              "plan",
              "allreduce",
              "-a",
              "gathering",
              "-n",
              "2",
              "--format",
              "json",
              "--output",
              relative.toString(),
              "--live");

      assertThat(outcome.err()).isEmpty();
      assertThat(directory.resolve("plan.json")).isNotEmptyFile();
    }
  }

  @Test
  void manyClientsAreServedAtOnce() throws Exception {
    try (ServedHost host = ServedHost.start(plugins);
        ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Callable<Outcome>> calls = new ArrayList<>();
      for (int i = 1; i <= 20; i++) {
        String ranks = Integer.toString(i);
        calls.add(
            () ->
                host.call(
                    "run",
                    "allreduce",
                    "-a",
                    "gathering",
                    "-n",
                    ranks,
                    "-c",
                    "8",
                    "-i",
                    "1",
                    "--live",
                    "--json"));
      }
      int ranks = 0;
      for (Future<Outcome> outcome : clients.invokeAll(calls)) {
        JsonNode measurement = JsonMapper.shared().readTree(outcome.get().out());
        assertThat(measurement.get("ranks").asInt()).isEqualTo(++ranks);
      }
    }
  }

  @Test
  void aLoadIsVerifiedAndCounted() throws Exception {
    try (ServedHost host =
        ServedHost.start(
            plugins, "--load", "allreduce", "-a", "gathering", "-n", "2", "-b", "1K")) {
      JsonNode load;
      do {
        load = load(host);
      } while (load.get("runs").asLong() < 10);

      assertThat(load.get("operation").asString()).isEqualTo("allreduce");
      assertThat(load.get("ranks").asInt()).isEqualTo(2);
      assertThat(load.get("bytes").asInt()).isEqualTo(1024);
      assertThat(load.get("algorithm").asString()).contains("gathering");
      assertThat(load.get("verified").asLong()).isPositive();
      assertThat(load.get("wrong").asLong()).isZero();
      assertThat(load.get("failures").asLong()).isZero();
    }
  }

  @Test
  void aLoadRunsNoMoreOftenThanItsRate() throws Exception {
    int rate = 20;
    long start = System.nanoTime();
    try (ServedHost host =
        ServedHost.start(
            plugins, "--load", "allreduce", "-a", "gathering", "-n", "2", "--rate", "" + rate)) {
      // A round of a second begins and ends with a verified run.
      Await.until(() -> load(host).get("verified").asLong() > 2);
      JsonNode load = load(host);
      double seconds = (System.nanoTime() - start) / 1e9;

      long others = load.get("runs").asLong() - load.get("verified").asLong();
      assertThat(others).isPositive().isLessThanOrEqualTo((long) (rate * seconds) + 1);
    }
  }

  private static JsonNode load(ServedHost host) {
    return JsonMapper.shared().readTree(host.call("status", "--json").out()).get("load");
  }

  @ParameterizedTest
  @CsvSource({
    "serve --rate 5, '--rate says how often the load runs, but there is no load; add --load'",
    "serve --load allreduce --rate 0, '--rate must be at least 1, actual: 0'"
  })
  void aRateIsOfALoadAndPositive(String command, String message) {
    Outcome outcome = ServedHost.call(plugins, command.split(" "));

    assertThat(outcome).isEqualTo(new Outcome(2, "", "tutti: [TUTTI-101] " + message + "\n"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"forgetful", "throwing"})
  void aLoadThatFailsIsReportedAndGoesOn(String algorithm) throws Exception {
    try (ServedHost host =
        ServedHost.start(plugins, "--load", "allreduce", "-a", algorithm, "-n", "2", "-b", "8")) {
      JsonNode load;
      do {
        load = load(host);
      } while (load.get("wrong").asLong() + load.get("failures").asLong() < 2);

      assertThat(load.get("verified").asLong()).isZero();
      assertThat(load.get("lastFailure").asString()).startsWith("[TUTTI-");
      // A separate thread prints the news.
      Await.until(() -> host.out().contains("  the load fails: [TUTTI-"));
      assertThat(host.out()).containsOnlyOnce("  the load fails: [TUTTI-");
    }
  }

  @Test
  void changesArePrintedWithTheirTime() throws Exception {
    try (ServedHost host = ServedHost.start(plugins)) {
      assertThat(host.call("plugins", "pin", "org.example.ring", "0.9").exitCode()).isZero();

      Pattern line = Pattern.compile("\\d\\d:\\d\\d:\\d\\d  org.example.ring 0.9 serves: pinned");
      Await.until(() -> host.out().lines().anyMatch(each -> line.matcher(each).matches()));
    }
  }

  @Test
  void aSecondHostOfTheSameDirectoryIsRefused() throws Exception {
    try (ServedHost host = ServedHost.start(plugins);
        ServedHost second = ServedHost.start(plugins)) {
      assertThat(second.exitCode()).isEqualTo(3);
      assertThat(second.err()).startsWith("tutti: [TUTTI-411] ").hasLineCount(1);
      assertThat(host.call("status").exitCode()).isZero();
    }
  }

  @Test
  void theHostIsFoundByEitherDirectory() throws Exception {
    try (ServedHost host = ServedHost.start(plugins)) {
      Path elsewhere = directory.resolve("elsewhere");
      String[][] ways = {
        {"status", "--state", host.state().toString()},
        {"status", "--plugins", plugins.toString()},
        {"algorithms", "--state", host.state().toString()},
        {"algorithms", "--live", "--plugins", plugins.toString()},
        {"plugins", "list", "--plugins", plugins.toString()}
      };
      for (String[] way : ways) {
        Outcome outcome = ServedHost.call(elsewhere, way);
        assertThat(outcome.err()).as(String.join(" ", way)).isEmpty();
        assertThat(outcome.exitCode()).isZero();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "serve --stop",
        "run allreduce --live",
        "algorithms --live",
        "bench --live",
        "plan allreduce --live",
        "explain allreduce --live"
      })
  void whereNobodyServesThatIsSaid(String command) {
    Outcome outcome = ServedHost.call(plugins, command.split(" "));

    assertThat(outcome.exitCode()).isEqualTo(3);
    assertThat(outcome.out()).isEmpty();
    assertThat(outcome.err())
        .isEqualTo(
            "tutti: [TUTTI-309] no host serves %s.state; start one with 'tutti serve', or name"
                    .formatted(plugins)
                + " another state directory with --state\n");
  }

  @Test
  void theEngineOfTheHostIsNotChosenByCommands() {
    Outcome outcome = ServedHost.call(plugins, "run", "allreduce", "--live", "--workers", "2");

    assertThat(outcome.exitCode()).isEqualTo(2);
    assertThat(outcome.err())
        .startsWith("tutti: [TUTTI-101] the host that serves has its engine already; leave out ");
  }

  @Test
  void signaturesAndTrustGoTogether() {
    assertThat(ServedHost.call(plugins, "serve", "--require-signed").err())
        .isEqualTo(
            "tutti: [TUTTI-101] --require-signed and --trust go together; name the file of trusted"
                + " keys\n");
    assertThat(ServedHost.call(plugins, "serve", "--trust", "keys").exitCode()).isEqualTo(2);
  }

  @Test
  void aStateDirectoryAloneDoesNotAlwaysTellThePlugins() {
    Outcome outcome =
        ServedHost.call(plugins, "serve", "--state", directory.resolve("memory").toString());

    assertThat(outcome.exitCode()).isEqualTo(2);
    assertThat(outcome.err()).contains("does not record its plugins directory");
  }
}
