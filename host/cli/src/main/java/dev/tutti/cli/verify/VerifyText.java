package dev.tutti.cli.verify;

import dev.tutti.base.text.Sentence;
import dev.tutti.cli.catalogue.AlgorithmWithPeer;
import dev.tutti.cli.terminal.ProgressLine;
import dev.tutti.cli.terminal.Table;
import dev.tutti.cli.terminal.Terminal;
import dev.tutti.cli.terminal.Text;
import dev.tutti.plugin.PluginProblem;
import dev.tutti.verifier.Report;
import dev.tutti.verifier.matrix.Coverage;
import dev.tutti.verifier.rule.Rule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Verification for people: a line for each algorithm, below it what is wrong, a verdict. */
final class VerifyText implements VerifyPrinter {

  private static final List<String> HEADINGS =
      List.of("operation", "algorithm", "cases", "passed", "refused", "failed", "time");
  private static final int ALGORITHM = 1;
  private static final String INDENT = "    ";
  private static final double NANOS = 1e9;

  private final Terminal terminal;
  private final ProgressLine progress;
  private final VerifyReplay replay;
  private boolean isAfterFailures;
  private final int[] widths = {9, 9, 6, 6, 7, 6, 7};
  private final boolean[] isRightAligned = {false, false, true, true, true, true, true};

  VerifyText(
      Terminal terminal,
      ProgressLine progress,
      VerifyReplay replay,
      List<AlgorithmWithPeer> subjects) {
    this.terminal = terminal;
    this.progress = progress;
    this.replay = replay;
    for (AlgorithmWithPeer subject : subjects) {
      widths[0] = Math.max(widths[0], subject.operation().label().length());
      widths[ALGORITHM] = Math.max(widths[ALGORITHM], subject.algorithm().qualifiedName().length());
    }
  }

  @Override
  public void start() {
    print(terminal.bold(Table.line(HEADINGS, widths, isRightAligned)));
  }

  /** Problems with plugins are on standard error, as with every command. */
  @Override
  public void problem(PluginProblem problem) {}

  @Override
  public void result(VerifyResult result) {
    progress.clear();
    int failed = result.failures().size();
    String line =
        Table.line(
            List.of(
                result.subject().operation().label(),
                result.subject().algorithm().qualifiedName(),
                Integer.toString(result.cases()),
                Integer.toString(result.passed()),
                Integer.toString(result.refused()),
                Integer.toString(failed),
                seconds(result.time())),
            widths,
            isRightAligned);
    if (isAfterFailures) {
      print("");
    }
    isAfterFailures = failed > 0;
    print(failed > 0 ? terminal.red(line) : line);
    remarks(result).forEach(remark -> print(INDENT + remark));
    Set<Rule> explained = EnumSet.noneOf(Rule.class);
    result
        .failuresByRules()
        .forEach((rules, failures) -> printFailures(result, failures, explained));
    terminal.out().flush();
  }

  private static List<String> remarks(VerifyResult result) {
    List<String> remarks = new ArrayList<>();
    if (result.subject().partner() != null) {
      remarks.add("checked with " + result.subject().partner());
    }
    if (result.subject().lacksPartner()) {
      remarks.add("nothing to check: no plugin has the other side of the transfer");
    } else if (result.cases() == 0) {
      remarks.add("nothing to check: a transfer needs 2 ranks or more");
    }
    result.refusals().forEach((reason, cases) -> remarks.add(cases + " refused: " + reason));
    if (result.notRun() > 0) {
      remarks.add(
          Sentence.of(
              "%s not run after %s; --max-failures 0 runs all",
              Text.count(result.notRun(), "case"),
              result.brokePlanningLimit()
                  ? "planning broke its limit, which each of them could cost again"
                  : Text.count(result.failures().size(), "failure")));
    }
    if (result.notifyDepth() > 1 && result.notifyDepth() != Report.UNBOUNDED_DEPTH) {
      remarks.add(Sentence.of("safe where a notify can hold %d signals", result.notifyDepth()));
    }
    result
        .notes()
        .forEach((note, cases) -> remarks.add("note, " + Text.count(cases, "case") + ": " + note));
    return remarks;
  }

  /**
   * Prints the first of some failures that break the same rules.
   *
   * @param explained the rules that have been explained; grows
   */
  private void printFailures(
      VerifyResult result, List<VerifyOutcome> failures, Set<Rule> explained) {
    VerifyOutcome first = failures.getFirst();
    print("");
    first.report().toString(explained).lines().forEach(line -> print(INDENT + line));
    first.report().findings().forEach(finding -> explained.add(finding.rule()));
    if (!first.smallest().equals(first.checked())) {
      print(INDENT + "  smallest failing case: " + first.smallest());
    }
    print(INDENT + "  again: " + replay.command(result.subject(), first.smallest()));
    int more = failures.size() - 1;
    if (more > 0) {
      print(
          Sentence.of(
              "%s  and %s that break%s %s",
              INDENT,
              Text.count(more, "other case"),
              more == 1 ? "s" : "",
              String.join(", ", first.report().rules())));
    }
  }

  @Override
  public void coverage(AlgorithmWithPeer subject, Coverage coverage) {
    new CoverageText(coverage).lines().forEach(line -> print(INDENT + line));
  }

  @Override
  public void verdict(VerifyVerdict verdict) {
    progress.clear();
    if (isAfterFailures) {
      print("");
    }
    String text = verdict.failedAlgorithms() == 0 ? passed(verdict) : failed(verdict);
    if (verdict.uncheckedAlgorithms() > 0) {
      text += "; not checked at all: " + Text.count(verdict.uncheckedAlgorithms(), "algorithm");
    }
    if (!verdict.problems().isEmpty()) {
      text += "; " + Text.count(verdict.problems().size(), "plugin problem");
    }
    text += " (" + seconds(verdict.time()) + ")";
    print(verdict.isClean() ? terminal.green("✓ " + text) : terminal.red("✗ " + text));
  }

  private static String passed(VerifyVerdict verdict) {
    long refused = verdict.sum(VerifyResult::refused);
    String few =
        verdict.results().stream()
            .filter(VerifyResult::isBarelyChecked)
            .map(
                each ->
                    Sentence.of(
                        "; few cases: %s takes %d of %d",
                        each.subject().algorithm(), each.passed(), each.cases()))
            .collect(Collectors.joining());
    return Sentence.of(
        "%s clean: %s passed%s, %s judged, %s compared%s",
        Text.count(verdict.results().size() - verdict.uncheckedAlgorithms(), "algorithm"),
        Text.count(verdict.sum(VerifyResult::passed), "case"),
        refused == 0 ? "" : Sentence.of(", %d refused", refused),
        Text.count(verdict.sum(VerifyResult::plans), "plan"),
        Text.count(verdict.sum(VerifyResult::runs), "run"),
        few);
  }

  private static String failed(VerifyVerdict verdict) {
    long cases = verdict.sum(result -> result.failures().size());
    return Sentence.of(
        "%d of %s wrong: %s %s %s",
        verdict.failedAlgorithms(),
        Text.count(verdict.results().size(), "algorithm"),
        Text.count(cases, "case"),
        cases == 1 ? "breaks" : "break",
        String.join(", ", verdict.rules()));
  }

  private static String seconds(Duration time) {
    return Text.number(time.toNanos() / NANOS) + " s";
  }

  private void print(String line) {
    terminal.out().println(line);
  }
}
