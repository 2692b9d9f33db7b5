package dev.tutti.cli.verify;

import dev.tutti.verifier.Report;
import dev.tutti.verifier.matrix.CollectiveCase;
import dev.tutti.verifier.rule.Severity;

/**
 * The outcome of one case.
 *
 * @param checked the case
 * @param report the findings
 * @param refusal why the algorithm does not support the case; empty if it was checked
 */
record VerifyOutcome(CollectiveCase checked, Report report, String refusal) {

  boolean isRefused() {
    return !refusal.isEmpty();
  }

  boolean isFailed() {
    return !isRefused() && !report.isClean();
  }

  /** Whether the case failed with more than warnings. */
  boolean hasError() {
    return isFailed()
        && report.findings().stream()
            .anyMatch(finding -> finding.rule().severity() == Severity.ERROR);
  }

  /** The smallest case that shows the failure. */
  CollectiveCase smallest() {
    CollectiveCase smallest = report.smallest();
    return smallest == null ? checked : smallest;
  }
}
