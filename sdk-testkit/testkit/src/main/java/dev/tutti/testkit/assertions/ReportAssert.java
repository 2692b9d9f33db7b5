package dev.tutti.testkit.assertions;

import dev.tutti.verifier.Report;
import dev.tutti.verifier.rule.Finding;
import dev.tutti.verifier.rule.Rule;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Assertions on a report. Each returns this object, so that calls can be chained. A failed
 * assertion throws an {@link AssertionError} whose message contains the whole report.
 *
 * <p>An assertion that something is absent also requires that it was checked. So it fails if the
 * report has no plan because the request was refused or could not be planned.
 */
public final class ReportAssert {

  private final Report report;

  ReportAssert(Report report) {
    this.report = report;
  }

  /** There is no finding, and a plan was judged. */
  public ReportAssert isClean() {
    if (!report.isClean()) {
      throw failure("expected a clean report, found " + text(broken()));
    }
    return requirePlan("a clean report");
  }

  /** No two accesses race, within one operation (MEM-1) or between two in a row (SEQ-1). */
  public ReportAssert hasNoRace() {
    return hasNo(Rule.RACE, Rule.SEQUENCE_RACE);
  }

  /** All streams run to their ends (SYN-1). */
  public ReportAssert hasNoDeadlock() {
    return hasNo(Rule.DEADLOCK);
  }

  /** The given rules are not broken; others may be. A plan was judged. */
  public ReportAssert hasNo(Rule first, Rule... more) {
    Set<Rule> unwanted = EnumSet.of(first, more);
    unwanted.retainAll(broken());
    if (!unwanted.isEmpty()) {
      throw failure("expected no finding of " + text(EnumSet.of(first, more)));
    }
    return requirePlan("no finding of " + text(EnumSet.of(first, more)));
  }

  /** All of the given rules are broken, and perhaps others too. */
  public ReportAssert breaks(Rule first, Rule... more) {
    Set<Rule> missing = EnumSet.of(first, more);
    missing.removeAll(broken());
    if (!missing.isEmpty()) {
      throw failure("expected findings of " + text(missing) + " too, found " + text(broken()));
    }
    return this;
  }

  /** All of the given rules are broken, and no others. */
  public ReportAssert breaksOnly(Rule first, Rule... more) {
    if (!broken().equals(EnumSet.of(first, more))) {
      throw failure(
          "expected findings of exactly "
              + text(EnumSet.of(first, more))
              + ", found "
              + text(broken()));
    }
    return this;
  }

  /** Some finding of the rule has the text in its message or its explanation. */
  public ReportAssert saysOf(Rule rule, String text) {
    List<Finding> findings =
        report.findings().stream().filter(finding -> finding.rule() == rule).toList();
    if (findings.stream()
        .noneMatch(
            finding -> finding.message().contains(text) || finding.explanation().contains(text))) {
      throw failure(
          "expected a finding of %s that says '%s', found %d of that rule"
              .formatted(rule.id(), text, findings.size()));
    }
    return this;
  }

  /** At least {@code runs} runs on real data were compared with the expected results. */
  public ReportAssert hasRunAtLeast(int runs) {
    if (report.runCount() < runs) {
      throw failure(
          "expected %d run%s or more, found %d"
              .formatted(runs, runs == 1 ? "" : "s", report.runCount()));
    }
    return this;
  }

  /** The report, for assertions of other kinds. */
  public Report report() {
    return report;
  }

  private Set<Rule> broken() {
    return report.findings().stream()
        .map(Finding::rule)
        .collect(Collectors.toCollection(() -> EnumSet.noneOf(Rule.class)));
  }

  private ReportAssert requirePlan(String expected) {
    if (report.planCount() == 0) {
      throw failure("expected " + expected + ", but no plan was judged");
    }
    return this;
  }

  private AssertionError failure(String problem) {
    return new AssertionError(problem + "; the report is:\n" + report);
  }

  private static String text(Set<Rule> rules) {
    return rules.isEmpty()
        ? "none"
        : rules.stream()
            .map(rule -> rule.id() + " " + rule.title())
            .collect(Collectors.joining(", "));
  }
}
