package dev.tutti.testkit;

import java.util.List;
import java.util.StringJoiner;

/**
 * What a check found. Immutable.
 *
 * @param subject what was checked
 * @param findings everything that is wrong, of all rules; empty if nothing is
 * @param planCount plans that were recorded and judged
 * @param runCount runs on real data whose results were compared
 */
public record Report(String subject, List<Finding> findings, int planCount, int runCount) {

  /** Takes an immutable copy. */
  public Report {
    findings = List.copyOf(findings);
  }

  /** Whether nothing is wrong. */
  public boolean isClean() {
    return findings.isEmpty();
  }

  /** Whether a rule is broken. */
  public boolean has(String rule) {
    return findings.stream().anyMatch(finding -> finding.rule().equals(rule));
  }

  /** The ids of the broken rules, each once, in the order of the findings. */
  public List<String> rules() {
    return findings.stream().map(Finding::rule).distinct().toList();
  }

  /**
   * Does nothing if nothing is wrong.
   *
   * @return this report
   * @throws AssertionError with all findings as its message
   */
  public Report requireClean() {
    if (!isClean()) {
      throw new AssertionError(toString());
    }
    return this;
  }

  /** All findings, a line each, under a line that says what was checked. */
  @Override
  public String toString() {
    if (isClean()) {
      return subject + ": clean, " + planCount + " plans, " + runCount + " runs";
    }
    StringJoiner lines = new StringJoiner("\n  ");
    lines.add(subject + ": " + findings.size() + (isOne() ? " finding" : " findings"));
    findings.forEach(finding -> lines.add(finding.toString()));
    return lines.toString();
  }

  private boolean isOne() {
    return findings.size() == 1;
  }
}
