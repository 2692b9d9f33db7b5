package dev.tutti.cli.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.base.idle.Clock;
import dev.tutti.cli.catalogue.AlgorithmWithPeer;
import dev.tutti.cli.terminal.ProgressLine;
import dev.tutti.cli.terminal.Terminal;
import dev.tutti.plugin.Algorithm;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.Operation;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.verifier.VirtualCluster;
import dev.tutti.verifier.matrix.CollectiveCase;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Two algorithms with three cases each; the second case of the first one was the last. */
class IncompleteVerifyTest {

  private static final AlgorithmWithPeer SUBJECT =
      new AlgorithmWithPeer(
          new Algorithm(
              Operation.ALL_REDUCE,
              "racing",
              "embedded",
              "",
              Algorithm.Description.NONE,
              Determinism.NONE,
              List.of(),
              new DrawnAlgorithms.Racing()),
          null,
          List.of());

  private static final VerifyReplay REPLAY =
      new VerifyReplay(List.of(), List.of(), List.of(), List.of());

  @TempDir private Path directory;
  private final StringWriter out = new StringWriter();
  private final Terminal terminal =
      new Terminal(new PrintWriter(out), new PrintWriter(new StringWriter()), false, false);
  private final ProgressLine progress = new ProgressLine(terminal, false);
  private final FailureDrawing drawing = new FailureDrawing(new VerifyDepth(), progress);
  private final CheckedCases first = cases();
  private final VerifyResults results =
      new VerifyResults(List.of(first, cases()), List.of(), 10, Clock.system().nanoTime());

  private static CheckedCases cases() {
    CollectiveCase c = CollectiveCase.of(Operation.ALL_REDUCE, Topology.flat(3));
    return new CheckedCases(SUBJECT, List.of(c.withCount(1), c.withCount(2), c.withCount(3)));
  }

  @BeforeEach
  void checkTwoCases() {
    for (int i = 0; i < 2; i++) {
      CollectiveCase c = first.cases().get(i);
      VirtualCluster cluster = VirtualCluster.builder(c).staticOnly().build();
      first.set(i, new VerifyOutcome(c, cluster.check(c, SUBJECT.executors()), ""));
    }
  }

  private String printed(VerifyPrinter printer) {
    results.unfinished().ifPresent(printer::result);
    printer.verdict(results.verdict());
    return out.toString();
  }

  @Test
  void theTableHasTheCasesThatWereDone() {
    assertThat(printed(new VerifyText(terminal, REPLAY, List.of(SUBJECT))))
        .containsPattern("allreduce +embedded:racing +3 +0 +0 +2 ")
        .contains("    incomplete: 2 of 3 cases done\n", "MEM-1 data race")
        .contains(
            "✗ incomplete: 2 of 6 cases done, 0 of 2 algorithms; so far 1 of 1 algorithm wrong");
  }

  @Test
  void linesForProgramsSayThatTheyAreIncomplete() {
    List<JsonNode> lines =
        printed(new VerifyJson(terminal, REPLAY))
            .lines()
            .map(JsonMapper.shared()::readTree)
            .toList();

    assertThat(lines)
        .extracting(line -> line.get("kind").asString())
        .containsExactly("failure", "failure", "algorithm", "verdict");
    JsonNode algorithm = lines.get(2);
    assertThat(algorithm.get("complete").asBoolean()).isFalse();
    assertThat(algorithm.get("notRun").asInt()).isEqualTo(1);
    JsonNode verdict = lines.get(3);
    assertThat(verdict.get("complete").asBoolean()).isFalse();
    assertThat(verdict.get("clean").asBoolean()).isFalse();
    assertThat(verdict.get("algorithms").asInt()).isEqualTo(2);
    assertThat(verdict.get("cases").asInt()).isEqualTo(6);
    assertThat(verdict.get("failed").asInt()).isEqualTo(2);
    assertThat(verdict.get("notRun").asInt()).isEqualTo(4);
  }

  @Test
  void filesSayThatTheyAreIncomplete() throws IOException {
    VerifyFiles files = new VerifyFiles();
    Path report = directory.resolve("v.txt");
    Path page = directory.resolve("v.html");
    Path sarif = directory.resolve("v.sarif");
    Path junit = directory.resolve("v.xml");
    new CommandLine(files)
        .parseArgs(
            "--report=" + report, "--html=" + page, "--sarif=" + sarif, "--junit-xml=" + junit);
    drawing.stop();

    files.write(results.verdict(), REPLAY, List.of(), drawing);

    assertThat(files.paths()).containsExactly(report, page, sarif, junit);
    String extent = "incomplete: 2 of 6 cases done, 0 of 2 algorithms";
    assertThat(Files.readString(report)).contains(extent + "; so far 1 of 1 algorithms wrong");
    assertThat(Files.readString(page))
        .contains(extent, "MEM-1", "interrupted before it had drawn all plans");
    assertThat(Files.readString(junit))
        .contains("tests=\"3\" failures=\"2\" errors=\"1\"", "<error message=\"" + extent)
        .contains("MEM-1");
    JsonNode run = JsonMapper.shared().readTree(sarif.toFile()).get("runs").get(0);
    JsonNode invocation = run.get("invocations").get(0);
    assertThat(invocation.get("executionSuccessful").asBoolean()).isFalse();
    assertThat(invocation.get("toolExecutionNotifications").toString()).contains(extent);
    assertThat(run.get("results").toString()).contains("MEM-1");
  }

  @Test
  void anAlgorithmWithoutCheckedCasesIsNoResult() {
    results.finish(new VerifyResult(SUBJECT, first.outcomes(10), 3, first.time(), true));

    assertThat(results.unfinished()).isEmpty();
    assertThat(results.verdict().results()).hasSize(1);
    assertThat(VerifyWords.incomplete(results.verdict()))
        .isEqualTo("incomplete: 2 of 6 cases done, 1 of 2 algorithms");
  }

  /** What later cases show may depend on the number of threads. */
  @Test
  void outcomesEndWithTheLastFailureThatCounts() {
    assertThat(first.outcomes(1)).hasSize(1);
    assertThat(first.outcomes(0)).hasSize(2);
  }
}
