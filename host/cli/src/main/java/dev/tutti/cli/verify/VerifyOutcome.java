package dev.tutti.cli.verify;

import dev.tutti.verifier.Report;
import dev.tutti.verifier.matrix.CollectiveCase;
import dev.tutti.verifier.rule.Severity;

/**
 * What became of one case.
 *
 * @param checked the case
 * @param report what was found
 * @param refusal why the algorithm does not take the case; empty if it was checked
 */
record VerifyOutcome(CollectiveCase checked, Report report, String refusal) {

  boolean isRefused() {
    return !refusal.isEmpty();
  }

  boolean isFailed() {
    return !isRefused() && !report.isClean();
  }

  /** Whether more is wrong than what a warning says. */
  boolean hasError() {
    return isFailed()
        && report.findings().stream()
            .anyMatch(finding -> finding.rule().severity() == Severity.ERROR);
  }

  /** The case that shows the failure best. */
  CollectiveCase smallest() {
    CollectiveCase smallest = report.smallest();
    return smallest == null ? checked : smallest;
  }
}
