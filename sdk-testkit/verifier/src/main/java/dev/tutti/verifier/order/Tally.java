package dev.tutti.verifier.order;

import dev.tutti.verifier.rule.Finding;
import dev.tutti.verifier.rule.Findings;
import dev.tutti.verifier.rule.Rule;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Counts how often a rule is broken, and decides when to stop the search for more cases. After
 * {@link #ENOUGH} cases, the search continues only for unknown causes, and only while such a cause
 * would still be listed.
 */
final class Tally {

  /** The number of cases after which the search for known causes ends. */
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

  /**
   * Whether to search for a case with a key. If not, the report mentions that the search ended
   * early.
   */
  boolean isWanted(Supplier<String> key) {
    if (count < ENOUGH
        || (causes.size() < Findings.MAX_PER_RULE && !causes.containsKey(key.get()))) {
      return true;
    }
    isCutShort = true;
    return false;
  }

  /** Adds a case. */
  void add(String key, Supplier<Finding> finding) {
    count++;
    causes.computeIfAbsent(key, k -> new Cause(finding)).count++;
  }

  boolean isEmpty() {
    return count == 0;
  }

  /** Notes that the search ended early. */
  void cutShort() {
    isCutShort = true;
  }

  /** Whether the search ended early. */
  boolean isCutShort() {
    return isCutShort;
  }

  /** Adds all cases to the findings. */
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
