package dev.tutti.cli.verify;

import dev.tutti.cli.catalogue.AlgorithmWithPeer;
import dev.tutti.cli.terminal.JsonLine;
import dev.tutti.cli.terminal.Terminal;
import dev.tutti.plan.ActionRef;
import dev.tutti.plugin.Algorithm;
import dev.tutti.plugin.PluginProblem;
import dev.tutti.verifier.matrix.Coverage;
import dev.tutti.verifier.matrix.Coverage.Combinations;
import dev.tutti.verifier.rule.Finding;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A verification as JSON, one object for each line. The {@code kind} of an object is {@code
 * problem}, {@code failure}, {@code algorithm}, {@code coverage} if requested, and {@code verdict}
 * at the end.
 */
final class VerifyJson implements VerifyPrinter {

  private static final double NANOS = 1e9;

  private final Terminal terminal;
  private final VerifyReplay replay;

  VerifyJson(Terminal terminal, VerifyReplay replay) {
    this.terminal = terminal;
    this.replay = replay;
  }

  @Override
  public void start() {}

  @Override
  public void problem(PluginProblem problem) {
    print(
        new JsonLine()
            .put("kind", "problem")
            .put("code", problem.code().id())
            .put("jar", problem.jar() == null ? null : problem.jar().toString())
            .put("plugin", problem.plugin())
            .put("message", problem.message()));
  }

  @Override
  public void result(VerifyResult result) {
    result.failures().forEach(failure -> print(failure(result.subject(), failure)));
    print(
        algorithm("algorithm", result.subject())
            .put("cases", result.cases())
            .put("passed", result.passed())
            .put("refused", result.refused())
            .put("failed", result.failures().size())
            .put("notRun", result.notRun())
            .put("complete", result.isComplete())
            .put("plans", result.plans())
            .put("runs", result.runs())
            .put("notifyDepth", result.notifyDepth())
            .put("seconds", seconds(result.time()))
            .putTexts("rules", result.rules())
            .putLines("refusals", refusals(result))
            .putLines("notes", notes(result)));
    terminal.out().flush();
  }

  @Override
  public void coverage(AlgorithmWithPeer subject, Coverage coverage) {
    print(
        algorithm("coverage", subject)
            .put("cases", coverage.cases())
            .put("withoutData", coverage.withoutData())
            .putLines("pairs", combinations(coverage.pairs()))
            .putLines("triples", combinations(coverage.triples()))
            .putLines("shares", shares(coverage.shares())));
  }

  private static List<JsonLine> combinations(List<Combinations> all) {
    List<JsonLine> lines = new ArrayList<>();
    for (Combinations each : all) {
      lines.add(
          new JsonLine()
              .put("factors", each.factors())
              .put("possible", each.possible())
              .put("visited", each.visited())
              .put("fewest", each.fewest())
              .putLines("thinnest", visits(each.thinnest(CoverageText.THINNEST))));
    }
    return lines;
  }

  private static List<JsonLine> shares(List<Combinations> all) {
    List<JsonLine> lines = new ArrayList<>();
    for (Combinations each : all) {
      lines.add(
          new JsonLine().put("factors", each.factors()).putLines("values", visits(each.visits())));
    }
    return lines;
  }

  private static List<JsonLine> visits(Map<String, Integer> visits) {
    List<JsonLine> lines = new ArrayList<>();
    visits.forEach(
        (value, cases) -> lines.add(new JsonLine().put("value", value).put("cases", cases)));
    return lines;
  }

  private JsonLine failure(AlgorithmWithPeer subject, VerifyOutcome failure) {
    return algorithm("failure", subject)
        .put("case", failure.checked().token())
        .put("smallest", failure.smallest().token())
        .put("replay", replay.command(subject, failure.smallest()))
        .putTexts("rules", failure.report().rules())
        .putLines(
            "findings", failure.report().findings().stream().map(VerifyJson::finding).toList());
  }

  private static JsonLine algorithm(String kind, AlgorithmWithPeer subject) {
    Algorithm algorithm = subject.algorithm();
    @Nullable Algorithm partner = subject.partner();
    return new JsonLine()
        .put("kind", kind)
        .put("operation", algorithm.operation().label())
        .put("algorithm", algorithm.name())
        .put("plugin", algorithm.plugin())
        .put("version", algorithm.version())
        .put("partner", partner == null ? null : partner.qualifiedName());
  }

  private static JsonLine finding(Finding finding) {
    return new JsonLine()
        .put("rule", finding.rule().id())
        .put("severity", finding.rule().severity().label())
        .put("title", finding.rule().title())
        .put("page", finding.rule().page())
        .put("message", finding.message())
        .put("explanation", finding.explanation())
        .putLines("actions", finding.actions().stream().map(VerifyJson::action).toList());
  }

  private static JsonLine action(ActionRef action) {
    return new JsonLine()
        .put("rank", action.rank())
        .put("stream", action.stream())
        .put("action", action.action())
        .put("text", action.text())
        .put("source", action.source());
  }

  private static List<JsonLine> refusals(VerifyResult result) {
    List<JsonLine> lines = new ArrayList<>();
    result
        .refusals()
        .forEach(
            (reason, cases) -> lines.add(new JsonLine().put("reason", reason).put("cases", cases)));
    return lines;
  }

  private static List<JsonLine> notes(VerifyResult result) {
    List<JsonLine> lines = new ArrayList<>();
    result
        .notes()
        .forEach(
            (note, cases) ->
                lines.add(
                    new JsonLine()
                        .put("rule", note.rule().id())
                        .put("cases", cases)
                        .put("message", note.message())));
    return lines;
  }

  @Override
  public void verdict(VerifyVerdict verdict) {
    print(
        new JsonLine()
            .put("kind", "verdict")
            .put("clean", verdict.isClean())
            .put("complete", verdict.isComplete())
            .put("algorithms", verdict.algorithms())
            .put("failedAlgorithms", verdict.failedAlgorithms())
            .put("uncheckedAlgorithms", verdict.uncheckedAlgorithms())
            .put("problems", verdict.problems().size())
            .put("cases", verdict.cases())
            .put("passed", verdict.sum(VerifyResult::passed))
            .put("refused", verdict.sum(VerifyResult::refused))
            .put("failed", verdict.sum(result -> result.failures().size()))
            .put("notRun", verdict.cases() - verdict.casesDone())
            .put("plans", verdict.sum(VerifyResult::plans))
            .put("runs", verdict.sum(VerifyResult::runs))
            .put("seconds", seconds(verdict.time()))
            .putTexts("rules", verdict.rules()));
  }

  private static double seconds(Duration time) {
    return time.toNanos() / NANOS;
  }

  private void print(JsonLine line) {
    terminal.out().println(line);
  }
}
