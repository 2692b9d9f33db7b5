package dev.tutti.verifier;

import dev.tutti.verifier.matrix.CollectiveCase;
import dev.tutti.verifier.rule.Finding;
import dev.tutti.verifier.rule.Findings;
import dev.tutti.verifier.rule.Rule;
import dev.tutti.verifier.rule.Severity;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * The result of a check. Immutable.
 *
 * @param subject the checked executor and case
 * @param findings all errors and warnings of the selected rules; empty if there are none
 * @param notes findings that are useful to know but not wrong
 * @param planCount plans that were recorded and judged
 * @param runCount runs on real data whose results were compared
 * @param notifyDepth the number of signals that a notify must be able to hold so that none is lost:
 *     1 if the plan is right on one-bit notifies, {@link #UNBOUNDED_DEPTH} if no number is known to
 *     be enough, 0 if no plan could be judged
 * @param smallest the smallest case found that breaks the first broken rule; null if nothing is
 *     wrong, or if no case can describe the request
 */
public record Report(
    String subject,
    List<Finding> findings,
    List<Finding> notes,
    int planCount,
    int runCount,
    int notifyDepth,
    @Nullable CollectiveCase smallest) {

  /** {@link #notifyDepth} if no depth is known to be enough. */
  public static final int UNBOUNDED_DEPTH = Integer.MAX_VALUE;

  /** Takes an immutable copy. */
  public Report {
    findings = List.copyOf(findings);
    notes = List.copyOf(notes);
  }

  /** The report of those findings whose rules are selected. */
  static Report of(
      String subject,
      Findings found,
      CheckSettings settings,
      int planCount,
      int runCount,
      int notifyDepth) {
    List<Finding> wrong = new ArrayList<>();
    List<Finding> notes = new ArrayList<>();
    for (Finding finding : found.toList()) {
      if (settings.rules().contains(finding.rule())) {
        (finding.rule().severity() == Severity.NOTE ? notes : wrong).add(finding);
      }
    }
    return new Report(subject, wrong, notes, planCount, runCount, notifyDepth, null);
  }

  Report withSmallest(CollectiveCase c) {
    return new Report(subject, findings, notes, planCount, runCount, notifyDepth, c);
  }

  /** Whether there are no findings. */
  public boolean isClean() {
    return findings.isEmpty();
  }

  /** Whether a rule is broken. */
  public boolean has(Rule rule) {
    return findings.stream().anyMatch(finding -> finding.rule() == rule);
  }

  /** Whether the rule with an id is broken. */
  public boolean has(String id) {
    return has(Rule.of(id));
  }

  /**
   * Whether planning has broken a limit of time or memory: rules CAP-3 and CAP-4. Then every
   * further case may take as long again and leave behind a thread that cannot be stopped.
   */
  public boolean brokePlanningLimit() {
    return has(Rule.PLANNING_TOO_LONG) || has(Rule.PLANNING_TOO_LARGE);
  }

  /** The ids of the broken rules, each once, in the order of the findings. */
  public List<String> rules() {
    return findings.stream().map(finding -> finding.rule().id()).distinct().toList();
  }

  /**
   * Throws if there are findings.
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

  /**
   * All findings with their explanations, below a line that names the checked case. At the end come
   * the smallest failing case and its token.
   */
  @Override
  public String toString() {
    String text = toString(Set.of());
    return smallest == null || isClean()
        ? text
        : text + "\n  smallest failing case: " + smallest + "\n  replay: " + smallest.token();
  }

  /**
   * All findings, below a line that names the checked case, for a reader who has seen some of the
   * explanations.
   *
   * @param explained rules whose findings are printed in one line, without an explanation
   */
  public String toString(Set<Rule> explained) {
    if (isClean()) {
      return subject + ": clean, " + count(planCount, "plan") + ", " + count(runCount, "run");
    }
    StringJoiner text = new StringJoiner("\n");
    text.add(subject + ": " + count(findings.size(), "finding"));
    for (Finding finding : findings) {
      text.add("  " + finding);
      if (!explained.contains(finding.rule())) {
        finding.explanation().lines().forEach(line -> text.add("      " + line));
      }
    }
    findings.stream()
        .map(Finding::rule)
        .distinct()
        .filter(rule -> !explained.contains(rule))
        .forEach(rule -> text.add("  " + rule.id() + " is explained in " + rule.page()));
    return text.toString();
  }

  private static String count(int number, String what) {
    return number + " " + what + (number == 1 ? "" : "s");
  }
}
