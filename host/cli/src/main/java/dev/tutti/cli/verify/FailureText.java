package dev.tutti.cli.verify;

import dev.tutti.base.text.Sentence;
import dev.tutti.cli.terminal.Terminal;
import dev.tutti.cli.terminal.Text;
import dev.tutti.verifier.rule.Rule;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * The failures of an algorithm as text: each set of broken rules once, with its smallest case and
 * the command that checks this case again.
 */
record FailureText(Terminal terminal, VerifyReplay replay) {

  static final String INDENT = "    ";

  /** Prints all failures, and explains each rule at its first occurrence. */
  void print(VerifyResult result) {
    Set<Rule> explained = EnumSet.noneOf(Rule.class);
    result.failuresByRules().forEach((rules, failures) -> print(result, failures, explained));
  }

  /**
   * Prints the first of some failures that break the same rules.
   *
   * @param explained the rules that have been explained; this adds the ones that it explains
   */
  private void print(VerifyResult result, List<VerifyOutcome> failures, Set<Rule> explained) {
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

  private void print(String line) {
    terminal.out().println(line);
  }
}
