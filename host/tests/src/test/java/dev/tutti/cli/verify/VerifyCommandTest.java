package dev.tutti.cli.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.cli.CommandLineHarness;
import dev.tutti.cli.CommandLineHarness.Outcome;
import dev.tutti.cli.TestAlgorithms;
import dev.tutti.engine.machine.MachineLayout;
import dev.tutti.host.Context;
import dev.tutti.verifier.matrix.CollectiveCase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class VerifyCommandTest {

  /** One case, quickly checked. */
  private static final List<String> SMALL =
      List.of(
          "-n",
          "2",
          "-c",
          "4",
          "-t",
          "int32",
          "-o",
          "sum",
          "--protocol",
          "direct",
          "--mode",
          "graph",
          "--schedules",
          "1",
          "--stress",
          "0",
          "--faults",
          "0");

  @TempDir private Path plugins;
  @TempDir private Path files;
  private CommandLineHarness tutti;

  @BeforeEach
  void openTestAlgorithms() {
    tutti = CommandLineHarness.withTestAlgorithms(plugins);
  }

  @Test
  void aRightAlgorithmHasOneLineAndAVerdict() {
    Outcome outcome = verify("gathering", "--param", "pieces=1");

    assertThat(outcome.err()).isEmpty();
    assertThat(outcome.exitCode()).isZero();
    assertThat(outcome.lines()).hasSize(3);
    assertThat(outcome.lines().get(0))
        .matches("operation +algorithm +cases +passed +refused +failed +time");
    assertThat(outcome.lines().get(1))
        .matches("allreduce +embedded:gathering +1 +1 +0 +0 +[0-9.e-]+ s");
    assertThat(outcome.lines().get(2))
        .matches("✓ 1 algorithm clean: 1 case passed, 2 plans judged, 2 runs compared \\(.* s\\)");
  }

  @Test
  void theStandardMatrixIsCheckedUnlessOptionsNarrowIt() {
    Outcome outcome = tutti.call("verify", "gathering", "--static", "--json", "-n", "1,2,3");

    JsonNode algorithm = json(outcome).getFirst();
    assertThat(algorithm.get("kind").asString()).isEqualTo("algorithm");
    assertThat(algorithm.get("cases").asInt()).isGreaterThan(100);
    assertThat(algorithm.get("passed").asInt()).isGreaterThan(50);
    assertThat(algorithm.get("failed").asInt()).isZero();
    assertThat(algorithm.get("runs").asInt()).isZero();
    assertThat(algorithm.get("refusals").get(0).get("reason").asString())
        .isEqualTo("needs direct links");
    assertThat(algorithm.get("refusals").get(0).get("cases").asInt())
        .isEqualTo(algorithm.get("refused").asInt());
  }

  @Test
  void aWrongAlgorithmIsExplainedAndEndsWithCodeOne() {
    Outcome outcome = verify("forgetful");

    assertThat(outcome.err()).isEmpty();
    assertThat(outcome.exitCode()).isEqualTo(1);
    assertThat(outcome.lines())
        .anyMatch(line -> line.matches("allreduce +embedded:forgetful +1 +0 +0 +1 .*"))
        .anyMatch(line -> line.matches(" +smallest failing case: allreduce ranks=2 .*"))
        .anyMatch(
            line ->
                line.matches(
                    "      again: tutti verify forgetful --schedules 1 --stress 0 --faults 0"
                        + " --replay 'allreduce;ranks=2;count=1;.*'"));
    assertThat(outcome.lines().getLast()).matches("✗ 1 of 1 algorithm wrong: 1 case breaks .*");
  }

  @ParameterizedTest
  @CsvSource(
      delimiterString = " => ",
      value = {
        "--algorithm gathering => gathering",
        "-a embedded:gathering => gathering",
        "allreduce -a gathering,forgetful => forgetful gathering",
        "-a allreduce/gathering -a forgetful => forgetful gathering",
        "gathering forgetful --operation allreduce --algorithm gathering => gathering",
      })
  void anOptionSelectsAlgorithms(String arguments, String names) {
    Outcome outcome = verify((arguments + " --json").split(" "));

    assertThat(outcome.err()).isEmpty();
    assertThat(
            json(outcome).stream()
                .filter(line -> line.get("kind").asString().equals("algorithm"))
                .map(line -> line.get("algorithm").asString()))
        .containsExactly(names.split(" "));
  }

  @Test
  void theRanksMayBePlacedAsTheMachineIs() {
    for (String ranks : List.of("4", "2,3")) {
      List<String> all = new ArrayList<>(List.of("verify", "throwing", "--json", "--static"));
      all.addAll(defaultsWithout("--topology found"));
      all.addAll(List.of("--topology", "found"));
      if (!ranks.equals("4")) {
        all.addAll(List.of("-n", ranks));
      }

      Outcome outcome = tutti.call(all.toArray(String[]::new));

      assertThat(outcome.err()).isEmpty();
      assertThat(outcome.lines())
          .filteredOn(line -> line.contains("\"case\""))
          .extracting(line -> JsonMapper.shared().readTree(line).get("case").asString())
          .extracting(token -> token.replaceAll(".*;(ranks=[^;]*).*", "$1"))
          .hasSameElementsAs(
              Stream.of(ranks.split(","))
                  .map(n -> MachineLayout.found().topology(Integer.parseInt(n)))
                  .map(topology -> "ranks=" + topology)
                  .toList());
    }
  }

  @Test
  void theReplayedTokenBreaksTheSameRules() {
    JsonNode failure = json(verify("forgetful", "--json")).getFirst();
    String token = failure.get("smallest").asString();

    Outcome replayed = tutti.call("verify", "forgetful", "--json", "--replay", token);

    assertThat(replayed.exitCode()).isEqualTo(1);
    JsonNode again = json(replayed).getFirst();
    assertThat(again.get("case").asString()).isEqualTo(token);
    assertThat(texts(again.get("rules"))).containsAll(texts(failure.get("rules")));
    assertThat(json(replayed).get(1).get("cases").asInt()).isEqualTo(1);
  }

  @Test
  void theReplayTokenChoosesTheOperation() {
    Outcome outcome = tutti.call("verify", "--replay", "broadcast;ranks=3;root=1", "--static");

    assertThat(outcome.exitCode()).isZero();
    assertThat(outcome.lines())
        .filteredOn(line -> line.contains("embedded:"))
        .singleElement()
        .asString()
        .matches("broadcast +embedded:star +1 +1 .*");
  }

  @Test
  void aSendIsCheckedWithTheReceiveOfItsName() {
    Outcome outcome = tutti.call("verify", "plain", "-n", "2,3", "-c", "7", "--static");

    assertThat(outcome.exitCode()).isZero();
    assertThat(outcome.lines())
        .anyMatch(line -> line.matches("send +embedded:plain .*"))
        .contains("    checked with receive embedded:plain")
        .noneMatch(line -> line.startsWith("receive"));
  }

  @Test
  void oneSideOfATransferFindsItsPartnerToo() {
    Outcome outcome =
        tutti.call("verify", "receive/plain", "-n", "2", "-c", "7", "--static", "--json");

    assertThat(outcome.exitCode()).isZero();
    assertThat(json(outcome).getFirst().get("operation").asString()).isEqualTo("receive");
    assertThat(json(outcome).getFirst().get("partner").asString()).isEqualTo("embedded:plain");
  }

  @Test
  void aSendWithoutAnyReceiveIsNotChecked() {
    CommandLineHarness alone =
        new CommandLineHarness(
            plugins, () -> Context.builder().algorithm(new TestAlgorithms.PlainSend()));

    Outcome outcome = alone.call("verify");

    assertThat(outcome.exitCode()).isEqualTo(2);
    assertThat(outcome.lines())
        .contains("    nothing to check: no plugin has the other side of the transfer");
    assertThat(outcome.lines().getLast()).contains("not checked at all: 1 algorithm");
  }

  @Test
  void anAlgorithmThatRefusesEveryCaseIsNoSuccess() {
    Outcome outcome = tutti.call("verify", "gathering", "-n", "2", "--protocol", "rdma");

    assertThat(outcome.exitCode()).isEqualTo(2);
    assertThat(outcome.out()).contains(" refused: needs direct links");
    assertThat(outcome.lines().getLast()).startsWith("✗ 0 algorithms clean: ");
  }

  @Test
  void aTransferOfOneRankIsNoCase() {
    Outcome outcome = tutti.call("verify", "plain", "-n", "1");

    assertThat(outcome.exitCode()).isEqualTo(2);
    assertThat(outcome.lines()).contains("    nothing to check: a transfer needs 2 ranks or more");
  }

  /** Options, and what the token of the only case then holds. */
  @ParameterizedTest
  @CsvSource(
      delimiterString = " => ",
      value = {
        "--topology 2+1 => ranks=2+1;",
        "-n 3 => ranks=3;",
        "-c 1K => count=1024;",
        "-t uint8 -o bxor => type=uint8;op=bxor",
        "--protocol rdma => protocol=rdma",
        "--mode op-base => mode=op-base",
        "--ccl-buffer 512 => ccl=512",
        "--seed 77 => seed=77",
      })
  void everyOptionReachesTheCase(String arguments, String part) {
    List<String> all = new ArrayList<>(List.of("verify", "throwing", "--json", "--static"));
    all.addAll(defaultsWithout(arguments));
    all.addAll(List.of(arguments.split(" ")));

    List<JsonNode> lines = json(tutti.call(all.toArray(String[]::new)));

    JsonNode failure = lines.getFirst();
    assertThat(failure.get("case").asString() + ";").contains(part);
    assertThat(lines.get(1).get("cases").asInt()).isEqualTo(1);
    assertThat(CollectiveCase.parse(failure.get("case").asString()).token())
        .isEqualTo(failure.get("case").asString());
  }

  private static List<String> defaultsWithout(String arguments) {
    List<String> defaults = new ArrayList<>();
    String given = " " + arguments + " ";
    if (!given.contains(" -n ") && !given.contains(" --topology ")) {
      defaults.addAll(List.of("-n", "2"));
    }
    for (String option : List.of("-c 4", "-t int32", "-o sum", "--protocol direct")) {
      if (!given.contains(" " + option.substring(0, option.indexOf(' ')) + " ")) {
        defaults.addAll(List.of(option.split(" ")));
      }
    }
    if (!given.contains(" --mode ")) {
      defaults.addAll(List.of("--mode", "graph"));
    }
    return defaults;
  }

  @Test
  void rootsAreThoseThatWereNamed() {
    Outcome outcome =
        tutti.call(
            "verify",
            "star",
            "-n",
            "3",
            "--root",
            "1,2",
            "-c",
            "4",
            "-t",
            "int32",
            "--json",
            "--static",
            "--protocol",
            "direct",
            "--ccl-buffer",
            "4K",
            "--mode",
            "graph");

    assertThat(outcome.exitCode()).isZero();
    assertThat(json(outcome).getFirst().get("cases").asInt()).isEqualTo(2);
  }

  @Test
  void fullTakesEveryCombination() {
    String[] options = {
      "verify",
      "star",
      "-n",
      "2,3,4",
      "--root",
      "0,1",
      "-c",
      "1,2,3",
      "-t",
      "int32",
      "--ccl-buffer",
      "1K",
      "--json",
      "--static"
    };

    int some = json(tutti.call(options)).getFirst().get("cases").asInt();
    List<String> full = new ArrayList<>(List.of(options));
    full.add("--full");
    int all = json(tutti.call(full.toArray(String[]::new))).getFirst().get("cases").asInt();

    assertThat(all).isEqualTo(3 * 2 * 3 * 2 * 2);
    assertThat(some).isLessThan(all);
  }

  @Test
  void theCoverageOfTheCheckedCasesIsShown() {
    Outcome outcome = tutti.call("verify", "star", "--static", "--coverage");

    assertThat(outcome.exitCode()).isZero();
    assertThat(outcome.lines())
        .anySatisfy(line -> assertThat(line).matches(" +coverage of \\d+ checked cases, .*"))
        .anySatisfy(
            line -> assertThat(line).matches(" +combinations +visited +possible +fewest +thinnest"))
        .anySatisfy(line -> assertThat(line).matches(" +rounds × protocol × ranks +(\\d+) +\\1 .*"))
        .anySatisfy(line -> assertThat(line).matches(" +mode × protocol: graph × direct \\d+ %.*"))
        .anySatisfy(line -> assertThat(line).matches(" +root: first \\d+ %, .*"));
  }

  @Test
  void theCoverageIsALineOfJson() {
    List<JsonNode> lines = json(tutti.call("verify", "star", "--static", "--coverage", "--json"));

    JsonNode coverage = lines.get(1);
    assertThat(coverage.get("kind").asString()).isEqualTo("coverage");
    assertThat(coverage.get("cases").asInt()).isEqualTo(lines.getFirst().get("cases").asInt());
    for (JsonNode pair : coverage.get("pairs")) {
      assertThat(pair.get("visited").asInt()).isEqualTo(pair.get("possible").asInt());
      assertThat(pair.get("thinnest").get(0).get("cases").asInt())
          .isEqualTo(pair.get("fewest").asInt());
    }
    assertThat(coverage.get("triples").size()).isGreaterThan(4);
    assertThat(coverage.get("shares").get(0).get("factors").asString())
        .isEqualTo("mode × protocol");
  }

  @Test
  void parametersAreVariedUnlessTheyAreNamed() {
    List<String> tokens = new ArrayList<>();
    json(tutti.call(
            "verify", "gathering", "-n", "3", "-c", "40", "--static", "--coverage", "--json"))
        .get(1)
        .get("shares")
        .forEach(share -> tokens.add(share.get("factors").asString()));

    assertThat(tokens).contains("pieces");
  }

  @Test
  void parametersReachTheAlgorithmAndTheToken() {
    Outcome outcome = verify("gathering", "--param", "pieces=3");

    assertThat(outcome.exitCode()).isZero();
    assertThat(verify("gathering", "--param", "pieces=9").err())
        .startsWith("tutti: [TUTTI-101] parameter 'pieces' must be 1 to 8. Actual: 9");
    assertThat(verify("gathering", "--param", "peices=3").err())
        .startsWith("tutti: [TUTTI-102] unknown algorithm parameter 'peices'; did you mean");
  }

  @Test
  void schedulesAreRunsOnData() {
    assertThat(runs("--schedules", "5", "--stress", "0", "--faults", "0")).isEqualTo(10);
    assertThat(runs("--static")).isZero();
  }

  private int runs(String... depth) {
    List<String> all =
        new ArrayList<>(List.of("verify", "gathering", "--param", "pieces=1", "--json"));
    all.addAll(SMALL.subList(0, SMALL.indexOf("--schedules")));
    all.addAll(List.of(depth));
    return json(tutti.call(all.toArray(String[]::new))).getLast().get("runs").asInt();
  }

  @Test
  void onlyTheNamedRulesAreReportedAndThoseThatPreventAPlan() {
    assertThat(verify("forgetful", "--rule", "MEM-1").exitCode()).isZero();
    assertThat(verify("forgetful", "--rule", "SEM-1").exitCode()).isEqualTo(1);
    assertThat(verify("stuck", "--rule", "SYN-1").exitCode()).isEqualTo(1);
    assertThat(verify("throwing", "--rule", "SYN-1").out()).contains("CAP-2");
  }

  @Test
  void rulesCanBeLeftOut() {
    JsonNode failure = json(verify("stuck", "--json")).getFirst();
    List<String> arguments = new ArrayList<>(List.of("stuck"));
    texts(failure.get("rules")).forEach(rule -> arguments.addAll(List.of("--without", rule)));

    assertThat(texts(failure.get("rules"))).contains("SYN-1");
    assertThat(verify(arguments.toArray(String[]::new)).exitCode()).isZero();
  }

  @Test
  void afterTooManyFailuresTheRestIsNotRun() {
    JsonNode algorithm =
        json(tutti.call(
                "verify", "throwing", "-n", "2", "-c", "4", "--json", "--max-failures", "3"))
            .get(3);

    assertThat(algorithm.get("failed").asInt()).isEqualTo(3);
    assertThat(algorithm.get("notRun").asInt())
        .isEqualTo(algorithm.get("cases").asInt() - 3)
        .isPositive();
  }

  @Test
  void withoutALimitOfFailuresAllIsRun() {
    List<JsonNode> lines =
        json(
            tutti.call(
                "verify", "throwing", "-n", "2", "-c", "4", "--json", "--max-failures", "0"));

    JsonNode algorithm = lines.get(lines.size() - 2);
    assertThat(algorithm.get("failed").asInt())
        .isEqualTo(algorithm.get("cases").asInt())
        .isGreaterThan(10);
    assertThat(algorithm.get("notRun").asInt()).isZero();
  }

  @Test
  void theNumberOfWorkersDoesNotChangeWhatIsFound() {
    List<JsonNode> one = json(tutti.call("verify", "stuck", "-n", "2", "--json", "--workers", "1"));
    List<JsonNode> many =
        json(tutti.call("verify", "stuck", "-n", "2", "--json", "--workers", "4"));

    assertThat(many.stream().map(line -> line.get("case")).toList())
        .isEqualTo(one.stream().map(line -> line.get("case")).toList());
    assertThat(many).hasSizeGreaterThan(5);
  }

  @Test
  void failuresThatBreakTheSameRulesAreShownOnce() {
    Outcome outcome =
        tutti.call("verify", "throwing", "-n", "2", "--max-failures", "4", "--static");

    assertThat(outcome.lines()).filteredOn(line -> line.startsWith("      again: ")).hasSize(1);
    assertThat(outcome.lines()).contains("      and 3 other cases that break CAP-2");
    assertThat(outcome.out()).contains("not run after 4 failures; --max-failures 0 runs all");
  }

  @Test
  void planningThatDoesNotEndIsTriedOnce() {
    CommandLineHarness endless =
        new CommandLineHarness(
            plugins, () -> Context.builder().algorithm("no", new VerifyAlgorithms.Endless()));

    Outcome outcome = endless.call("verify", "no", "--planning-limit", "200ms", "--workers", "2");

    assertThat(outcome.exitCode()).isEqualTo(1);
    assertThat(outcome.out())
        .contains("CAP-3 planning does not end: ", "VerifyAlgorithms$Endless.kernelRun(")
        .containsPattern(
            "\\d+ cases not run: planning exceeded its limit, and each further case could do so"
                + " again; --max-failures 0 runs all");
    assertThat(outcome.lines()).filteredOn(line -> line.startsWith("      again: ")).hasSize(1);
  }

  @Test
  void theReportFileHoldsEveryFailure() throws IOException {
    Path file = files.resolve("report.txt");

    Outcome outcome =
        tutti.call(
            "verify",
            "throwing",
            "-n",
            "2",
            "-c",
            "4",
            "--max-failures",
            "4",
            "--report",
            file.toString());

    assertThat(outcome.exitCode()).isEqualTo(1);
    assertThat(Files.readAllLines(file))
        .filteredOn(line -> line.startsWith("  case: allreduce;ranks=2"))
        .hasSize(4);
    assertThat(Files.readString(file))
        .contains("allreduce embedded:throwing", "CAP-2 planning failed")
        .endsWith("1 of 1 algorithms wrong, 4 cases failed, 0 passed" + System.lineSeparator());
  }

  @Test
  void aReportThatCannotBeWrittenIsRefusedBeforeTheWork() {
    Path file = files.resolve("missing").resolve("report.txt");

    Outcome outcome = tutti.call("verify", "throwing", "--report", file.toString());

    assertThat(outcome.exitCode()).isEqualTo(3);
    assertThat(outcome.out()).isEmpty();
    assertThat(outcome.err())
        .startsWith("tutti: [TUTTI-308] cannot write the report " + file)
        .hasLineCount(1);
  }

  @Test
  void largeGroupsAreCheckedInOneCaseUnlessOptionsNameMore() {
    assertThat(cases("-n", "65")).isEqualTo(1);
    assertThat(cases("-n", "65", "--mode", "graph,op-base")).isEqualTo(2);
    assertThat(cases("-n", "65", "-t", "int8")).isEqualTo(1);
    assertThat(cases("-n", "65", "-o", "band,max")).isEqualTo(2);
    assertThat(cases("-n", "64")).isGreaterThan(100);
  }

  /** Nothing of it is planned: the algorithm refuses. */
  private int cases(String... axes) {
    CommandLineHarness refusing =
        new CommandLineHarness(
            plugins, () -> Context.builder().algorithm("no", new VerifyAlgorithms.Refusing()));
    List<String> all = new ArrayList<>(List.of("verify", "no", "--static", "--json"));
    all.addAll(List.of(axes));
    return json(refusing.call(all.toArray(String[]::new))).getLast().get("cases").asInt();
  }

  @Test
  void everyLineOfJsonHasItsKindAndTheVerdictIsLast() {
    List<JsonNode> lines = json(verify("forgetful", "--json"));

    assertThat(lines)
        .extracting(line -> line.get("kind").asString())
        .containsExactly("failure", "algorithm", "verdict");
    JsonNode finding = lines.getFirst().get("findings").get(0);
    assertThat(finding.propertyNames())
        .containsExactly("rule", "severity", "title", "page", "message", "explanation", "actions");
    assertThat(finding.get("page").asString()).startsWith("docs/rules/");
    JsonNode verdict = lines.getLast();
    assertThat(verdict.get("clean").asBoolean()).isFalse();
    assertThat(verdict.get("failed").asInt()).isEqualTo(1);
    assertThat(verdict.get("failedAlgorithms").asInt()).isEqualTo(1);
  }

  private Outcome verify(String... arguments) {
    List<String> all = new ArrayList<>(List.of("verify"));
    all.addAll(List.of(arguments));
    all.addAll(SMALL);
    return tutti.call(all.toArray(String[]::new));
  }

  static List<JsonNode> json(Outcome outcome) {
    return outcome.lines().stream().map(JsonMapper.shared()::readTree).toList();
  }

  static List<String> texts(JsonNode array) {
    return StreamSupport.stream(array.spliterator(), false).map(JsonNode::asString).toList();
  }
}
