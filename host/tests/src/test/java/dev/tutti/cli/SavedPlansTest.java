package dev.tutti.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.cli.CommandLineHarness.Outcome;
import dev.tutti.plan.PlanJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A plan that was written as JSON takes the place of an operation. */
class SavedPlansTest {

  @TempDir private Path plugins;
  @TempDir private Path files;
  private CommandLineHarness tutti;
  private String plan;

  @BeforeEach
  void openTestAlgorithms() {
    tutti = CommandLineHarness.withTestAlgorithms(plugins);
    plan = files.resolve("plan.json").toString();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "gathering -n 3 -c 9",
        "gathering -n 2 -c 64 -t int16 -o max --in-place",
        "gathering --topology 2+2 -c 5 --mode op-base --ccl-buffer 1K",
        "star --topology 2+1|3 -b 1K --root 2",
        "send -n 3 -c 7 --src 2 --dst 0",
        "send -n 2 -c 7 -t half --protocol rdma"
      })
  void itIsShownCheckedSimulatedAndRunAsWhatItWasMadeFor(String request) {
    String shown = tutti.call(words("plan", request)).out();
    write(request);

    assertThat(tutti.call("plan", plan).out()).isEqualTo(shown);
    assertThat(tutti.call("plan", plan, "--format", "json").out().strip())
        .isEqualTo(text().strip());

    Outcome verified = tutti.call("verify", plan);
    assertThat(verified.exitCode()).as(verified.out() + verified.err()).isZero();
    assertThat(verified.lines()).last().asString().contains("1 case passed, 1 plan judged");

    Outcome simulated = tutti.call("simulate", plan);
    assertThat(simulated.exitCode()).isZero();
    assertThat(simulated.out()).contains("bus bandwidth", "critical path");

    Outcome ran = tutti.call("run", plan, "--iterations", "3");
    assertThat(ran.err()).isEmpty();
    assertThat(ran.exitCode()).isZero();
    assertThat(ran.lines())
        .contains("algorithm  file:plan.json")
        .anyMatch(line -> line.contains("3 runs"));
  }

  @Test
  void aChangedPlanIsFoundOut() throws IOException {
    write("star -n 2 -c 2");
    String right = text();
    String wrong =
        right
            .replaceFirst("\\[1, \"param-output\", 0]", "[1, \"param-output\", 4]")
            .replaceFirst("\"bytes\": 8", "\"bytes\": 4");
    assertThat(wrong).isNotEqualTo(right);
    Files.writeString(Path.of(plan), wrong);

    Outcome verified = tutti.call("verify", plan);

    assertThat(verified.exitCode()).isEqualTo(1);
    assertThat(verified.out()).contains("SEM-").contains("again: tutti verify " + plan);
    Outcome ran = tutti.call("run", plan);
    assertThat(ran.exitCode()).isEqualTo(1);
    assertThat(ran.err()).contains("broadcast file:plan.json gives a wrong result");
  }

  @Test
  void aPlanThatCannotFinishIsNotRun() throws IOException {
    write("gathering -n 2 -c 4");
    Files.writeString(Path.of(plan), text().replaceFirst("\\{\"kind\": \"post\".*\\},\n", "\n"));

    Outcome ran = tutti.call("run", plan);

    assertThat(ran.exitCode()).isEqualTo(1);
    assertThat(ran.err()).contains("the plan can never finish", "await");
    assertThat(tutti.call("verify", plan).out()).contains("SYN-1");
    assertThat(tutti.call("simulate", plan).err()).contains("cannot be simulated");
  }

  @Test
  void theDeadlineOfARunIsTakenFromTheCommand() {
    write("star -n 2 -c 2");

    assertThat(tutti.call("run", plan, "--deadline", "0").err()).contains("deadline");
    assertThat(tutti.call("run", plan, "--deadline", "20s", "-i", "1").exitCode()).isZero();
  }

  @Test
  void aFindingNamesTheRequestOfTheFile() throws IOException {
    write("gathering -n 2 -c 4 -t int16 -o max");
    Files.writeString(Path.of(plan), text().replaceFirst("\"op\": \"max\"", "\"op\": \"min\""));

    assertThat(tutti.call("verify", plan).out())
        .contains("allreduce PlanExecutor on 2 ranks, 8 bytes", "SEM-");
    assertThat(tutti.call("verify", plan, "--json").lines().getFirst())
        .contains("allreduce;ranks=2;count=4;type=int16;op=max");
  }

  @Test
  void aSimulationOfItIsDrawnAndTraced() throws IOException {
    write("star -n 4 -c 250 --root 2");
    Path page = files.resolve("page.html");
    Path trace = files.resolve("trace.json");

    Outcome outcome =
        tutti.call("simulate", plan, "--html", page.toString(), "--trace", trace.toString());

    assertThat(outcome.err()).isEmpty();
    assertThat(Files.readString(page))
        .contains("file:plan.json, broadcast ranks=4 count=250 float32 root=2", "1000 B");
    assertThat(trace).isNotEmptyFile();
    assertThat(tutti.call("simulate", plan, "--html", files.toString()).err())
        .contains("is a directory")
        .hasLineCount(1);
  }

  @Test
  void machinesGetObjects() {
    write("star -n 3 -c 250");
    JsonMapper json = JsonMapper.shared();

    JsonNode verified = json.readTree(tutti.call("verify", plan, "--json").lines().getFirst());
    JsonNode simulated = json.readTree(tutti.call("simulate", plan, "--json").out());
    JsonNode ran = json.readTree(tutti.call("run", plan, "-i", "3", "--json").out());

    assertThat(verified.get("algorithm").asString()).isEqualTo("plan.json");
    assertThat(verified.get("passed").asInt()).isEqualTo(1);
    assertThat(simulated.get("file").asString()).isEqualTo(plan);
    assertThat(simulated.get("simulation").get("perRank").size()).isEqualTo(3);
    assertThat(ran.get("operation").asString()).isEqualTo("broadcast");
    assertThat(ran.get("algorithm").asString()).isEqualTo("plan.json");
    assertThat(ran.get("plugin").asString()).isEqualTo("file");
    assertThat(ran.get("count").asInt()).isEqualTo(250);
  }

  @Test
  void aNetworkMayHaveTheRanksElsewhere() {
    write("star -n 4 -c 250");

    assertThat(tutti.call("simulate", plan, "--topology", "2+2").out())
        .startsWith("broadcast star on 2+2 ranks");
    assertThat(tutti.call("simulate", plan, "--topology", "2+1").err())
        .isEqualTo("tutti: [TUTTI-101] the plan is for 4 ranks, and --topology 2+1 has 3\n");
  }

  @Test
  void aFileThatSaysNothingIsShownAndSimulatedOnly() throws IOException {
    write("star -n 2 -c 2");
    Files.writeString(
        Path.of(plan), PlanJson.toJson(PlanJson.fromJson(Files.readString(Path.of(plan)))));

    assertThat(tutti.call("plan", plan).exitCode()).isZero();
    assertThat(tutti.call("simulate", plan).out()).contains("critical path");
    for (String command : List.of("verify", "run", "simulate --html page.html")) {
      Outcome outcome = tutti.call(words(command, plan));
      assertThat(outcome.exitCode()).isEqualTo(2);
      assertThat(outcome.err())
          .contains(
              "does not say what the plan is for; write after its name a field such as"
                  + " \"request\": \"allreduce --ranks 2 --count 1000");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiterString = " => ",
      value = {
        "allreduce --ranks 2 --count 2 => the plan is for buffers of other sizes",
        "broadcast --ranks 3 --count 2 => that is for 3 ranks, and the plan is for 2",
        "broadcast --ranks 2 --count 2 --in-place => the plan is for calls out of place",
        "broadcast --ranks 2 --count x => is not a whole number",
        "brodcast --ranks 2 => it must begin with an operation, such as allreduce",
        "broadcast @words => it must be an operation and options of 'tutti run'",
        "broadcast/star --ranks 2 --count 2 => it must begin with an operation",
        "broadcast --rank 2 => it must be an operation and options of 'tutti run'",
        "broadcast --ranks 2 --type float3 => unknown data type 'float3'; did you mean 'float32'?",
      })
  void aRequestThatIsNoneOfThePlanIsRefused(String request, String reason) throws IOException {
    write("gathering -n 2 -c 4");
    String of = text().replaceFirst("\"request\": \".*\"", "\"request\": \"" + request + "\"");
    if (request.startsWith("broadcast")) {
      write("star -n 2 -c 2");
      of = text().replaceFirst("\"request\": \".*\"", "\"request\": \"" + request + "\"");
    }
    Files.writeString(Path.of(plan), of);

    Outcome outcome = tutti.call("verify", plan);

    assertThat(outcome.err())
        .startsWith("tutti: [TUTTI-101] " + plan + ": the field \"request\" is '" + request + "': ")
        .contains(reason)
        .hasLineCount(1);
    assertThat(outcome.exitCode()).isEqualTo(2);
  }

  @Test
  void aFileOfSomethingElseIsToldHowPlansAreWritten() throws IOException {
    Files.writeString(Path.of(plan), "{\"topology\": 4}");

    for (String command : List.of("plan", "verify", "simulate", "run")) {
      Outcome outcome = tutti.call(command, plan);
      assertThat(outcome.exitCode()).isEqualTo(2);
      assertThat(outcome.err())
          .startsWith("tutti: [TUTTI-101] " + plan + ": plan file, line 1")
          .endsWith("; write one with 'tutti plan --format json', or with PlanJson\n")
          .hasLineCount(1);
    }
  }

  @Test
  void whatIsNoPlanIsRefusedWithItsPlace() throws IOException {
    write("star -n 2 -c 2");
    Files.writeString(Path.of(plan), text().replace("\"streams\": 1", "\"streams\": 0"));

    for (String command : List.of("plan", "verify", "simulate", "run")) {
      assertThat(tutti.call(command, plan).err())
          .startsWith("tutti: ")
          .contains(plan + ": ", "streams must be", "line 9", "$.ranks[0].streams")
          .hasLineCount(1);
      assertThat(tutti.call(command, plan + ".json").err())
          .isEqualTo(
              "tutti: [TUTTI-101] the plan file "
                  + plan
                  + ".json cannot be read: there is no such file; check the path\n");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "plan, --ranks=3, --ranks",
    "plan, -a=star, --algorithm",
    "run, --count=3, --count",
    "run, --in-place, --in-place",
    "simulate, --compare, --compare",
    "simulate, -n=2, --ranks",
    "simulate, --bytes=2, --bytes",
    "plan, --plugins=x, --plugins",
    "verify, --seed=2, --seed",
    "verify, --out-of-place, --out-of-place",
    "verify, --topology=2, --topology",
    "verify, --type=int8, --type"
  })
  void optionsThatMeanNothingForAPlanAreRefused(String command, String option, String name) {
    write("star -n 2 -c 2");

    Outcome outcome = tutti.call(command, plan, option);

    assertThat(outcome.exitCode()).isEqualTo(2);
    assertThat(outcome.err())
        .isEqualTo(
            "tutti: [TUTTI-101] "
                + plan
                + " holds one plan for one request; leave out "
                + name
                + "\n");
  }

  @Test
  void otherCommandsAndOtherTargetsAreRefused() {
    write("star -n 2 -c 2");

    assertThat(tutti.call("bench", plan).err())
        .contains("is a plan file, which only plan, verify, simulate and run take");
    assertThat(tutti.call("explain", plan).err()).contains("is a plan file");
    assertThat(tutti.call("verify", plan, "star").err())
        .contains("a plan file is checked by itself");
    assertThat(tutti.call("run", plan, "--processes").err())
        .contains("a plan file runs in one process; leave out --processes");
  }

  private void write(String request) {
    String[] words = words("plan", request + " --format json --output " + plan);
    Outcome outcome = tutti.call(words);
    assertThat(outcome.exitCode()).as(outcome.err()).isZero();
  }

  private String text() {
    try {
      return Files.readString(Path.of(plan));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static String[] words(String command, String rest) {
    return (command + " " + rest).split(" ");
  }
}
