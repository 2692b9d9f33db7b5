package dev.tutti.mutation;

import dev.tutti.mutation.MutationScore.Count;
import dev.tutti.verifier.rule.Finding;
import dev.tutti.verifier.rule.Rule;
import dev.tutti.verifier.rule.Severity;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;

/** Counts mutants one by one. Not thread-safe. */
final class Tally {

  /**
   * The rules that judge the form of a plan and not its effect. For example, a plan with correct
   * results may use a resource that it has not requested, use a stream that is not joined, or read
   * undefined bytes that reach no output.
   */
  private static final Set<Rule> RULES_OF_FORM =
      EnumSet.of(
          Rule.PLANNING_FAILED,
          Rule.UNUSED,
          Rule.NOT_REQUESTED,
          Rule.LINK_MISMATCH,
          Rule.PRIVATE_MEMORY,
          Rule.NOT_JOINED,
          Rule.BOUNDS,
          Rule.UNDEFINED_READ);

  /** Decides for each caught mutant whether to test it for a false alarm. */
  private final BooleanSupplier isTried;

  private final Map<Operator, Count> counts = new EnumMap<>(Operator.class);
  private final Map<Rule, Map<Operator, Long>> rules = new EnumMap<>(Rule.class);
  private final List<String> survivors = new ArrayList<>();
  private final List<String> falseAlarms = new ArrayList<>();

  Tally(BooleanSupplier isTried) {
    this.isTried = isTried;
  }

  /**
   * Counts a mutant.
   *
   * @param subject the plan that was changed
   * @param findings the findings for the mutant; only errors count, not warnings and notes
   * @param isEquivalent whether the mutant is proven to do the same as the original; not called if
   *     the mutant only breaks rules of form, or if it is caught and not tested for a false alarm
   * @param isRight whether the mutant is proven to keep the promises, even if it does not do
   *     exactly the same; called only for mutants that are neither caught nor proven to do the same
   * @param text the change in words
   */
  void add(
      Operator operator,
      String subject,
      List<Finding> findings,
      BooleanSupplier isEquivalent,
      BooleanSupplier isRight,
      Object text) {
    Set<Rule> broken = errors(findings);
    broken.forEach(
        rule ->
            rules
                .computeIfAbsent(rule, r -> new EnumMap<>(Operator.class))
                .merge(operator, 1L, Long::sum));
    boolean isCaught = !broken.isEmpty();
    boolean isFormal = isCaught && RULES_OF_FORM.containsAll(broken);
    boolean isAsked = !isCaught || (!isFormal && isTried.getAsBoolean());
    boolean isProven =
        (isAsked && isEquivalent.getAsBoolean()) || (!isCaught && isRight.getAsBoolean());
    counts.merge(
        operator, new Count(1, isCaught ? 1 : 0, isProven && !isCaught ? 1 : 0), Count::plus);
    if (!isCaught && !isProven) {
      survivors.add(subject + ": " + text);
    } else if (isCaught && isProven) {
      falseAlarms.add(broken + " of " + subject + ": " + text);
    }
  }

  static Set<Rule> errors(List<Finding> findings) {
    Set<Rule> rules = EnumSet.noneOf(Rule.class);
    for (Finding finding : findings) {
      if (finding.rule().severity() == Severity.ERROR) {
        rules.add(finding.rule());
      }
    }
    return rules;
  }

  MutationScore score() {
    return new MutationScore(counts, rules, survivors, falseAlarms);
  }
}
