package dev.tutti.cli.verify;

import dev.tutti.cli.catalogue.AlgorithmWithPeer;
import dev.tutti.cli.terminal.Table;
import dev.tutti.cli.terminal.Terminal;
import dev.tutti.plugin.PluginProblem;
import dev.tutti.verifier.matrix.Coverage;
import java.util.List;

/** A verification as text: a line for each algorithm with its failures below it, and a verdict. */
final class VerifyText implements VerifyPrinter {

  private static final List<String> HEADINGS =
      List.of("operation", "algorithm", "cases", "passed", "refused", "failed", "time");
  private static final int ALGORITHM = 1;
  private static final String INDENT = FailureText.INDENT;

  private final Terminal terminal;
  private final FailureText failures;
  private boolean isAfterFailures;
  private final int[] widths = {9, 9, 6, 6, 7, 6, 7};
  private final boolean[] isRightAligned = {false, false, true, true, true, true, true};

  VerifyText(Terminal terminal, VerifyReplay replay, List<AlgorithmWithPeer> subjects) {
    this.terminal = terminal;
    this.failures = new FailureText(terminal, replay);
    for (AlgorithmWithPeer subject : subjects) {
      widths[0] = Math.max(widths[0], subject.operation().label().length());
      widths[ALGORITHM] = Math.max(widths[ALGORITHM], subject.algorithm().qualifiedName().length());
    }
  }

  @Override
  public void start() {
    print(terminal.bold(Table.line(HEADINGS, widths, isRightAligned)));
  }

  /** Does nothing: as in every command, plugin problems are on standard error. */
  @Override
  public void problem(PluginProblem problem) {}

  @Override
  public void result(VerifyResult result) {
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
                VerifyWords.seconds(result.time())),
            widths,
            isRightAligned);
    if (isAfterFailures) {
      print("");
    }
    isAfterFailures = failed > 0;
    print(failed > 0 ? terminal.red(line) : line);
    VerifyWords.remarks(result).forEach(remark -> print(INDENT + remark));
    failures.print(result);
    terminal.out().flush();
  }

  @Override
  public void coverage(AlgorithmWithPeer subject, Coverage coverage) {
    new CoverageText(coverage).lines().forEach(line -> print(INDENT + line));
  }

  @Override
  public void verdict(VerifyVerdict verdict) {
    if (isAfterFailures) {
      print("");
    }
    String text = VerifyWords.of(verdict);
    print(verdict.isClean() ? terminal.green("✓ " + text) : terminal.red("✗ " + text));
  }

  private void print(String line) {
    terminal.out().println(line);
  }
}
