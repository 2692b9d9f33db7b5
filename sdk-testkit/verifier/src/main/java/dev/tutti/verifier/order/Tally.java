package dev.tutti.verifier.order;

import dev.tutti.verifier.rule.Finding;
import dev.tutti.verifier.rule.Findings;
import dev.tutti.verifier.rule.Rule;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Counts how often a rule is broken, and decides when to stop the search for more cases: once
 * {@link #ENOUGH} were found, it goes on only for causes that are not known yet, and only if such a
 * cause would still be listed.
 */
final class Tally {

  /** Cases after which the search for more of the same ends. */
  static final int ENOUGH = 1000;

  private final Rule rule;
  private final Map<String, Cause> causes = new LinkedHashMap<>();
  private int count;
  private boolean isCutShort;

  private static final class Cause {
    final Supplier<Finding> first;
    long count;

    Cause(Supplier<Finding> first) {
      this.first = first;
    }
  }

  Tally(Rule rule) {
    this.rule = rule;
  }

  /** Whether another case should be looked for; if not, the report will say that one was not. */
  boolean isWanted(Supplier<String> key) {
    if (count < ENOUGH
        || (causes.size() < Findings.MAX_PER_RULE && !causes.containsKey(key.get()))) {
      return true;
    }
    isCutShort = true;
    return false;
  }

  /** A case was found. */
  void add(String key, Supplier<Finding> finding) {
    count++;
    causes.computeIfAbsent(key, k -> new Cause(finding)).count++;
  }

  boolean isEmpty() {
    return count == 0;
  }

  /** Notes that some cases were not looked for. */
  void cutShort() {
    isCutShort = true;
  }

  /** Whether some cases were not looked for. */
  boolean isCutShort() {
    return isCutShort;
  }

  /** Passes everything on. */
  void report(Findings findings) {
    boolean isFirst = true;
    for (Map.Entry<String, Cause> entry : causes.entrySet()) {
      Cause cause = entry.getValue();
      Supplier<Finding> finding =
          isFirst && isCutShort ? () -> cut(cause.first.get()) : cause.first;
      for (long i = 0; i < cause.count; i++) {
        findings.add(rule, entry.getKey(), finding);
      }
      isFirst = false;
    }
  }

  private Finding cut(Finding finding) {
    return new Finding(
        finding.rule(),
        finding.message()
            + "; the search ended after "
            + count
            + " cases of this rule, so there may be more",
        finding.actions(),
        finding.explanation());
  }
}
