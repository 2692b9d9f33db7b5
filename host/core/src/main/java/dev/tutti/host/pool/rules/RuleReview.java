package dev.tutti.host.pool.rules;

import dev.tutti.base.text.Sentence;
import dev.tutti.sdk.Arguments;
import dev.tutti.sdk.Operation;
import dev.tutti.sdk.topology.Topology;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Finds rules that can never apply, whatever algorithms exist. */
public final class RuleReview {

  private static final Set<Operation> REDUCING =
      EnumSet.of(
          Operation.ALL_REDUCE,
          Operation.REDUCE,
          Operation.REDUCE_SCATTER,
          Operation.REDUCE_SCATTER_V,
          Operation.SCAN,
          Operation.EXCLUSIVE_SCAN);

  private RuleReview() {}

  /**
   * A problem of a rule.
   *
   * @param rule the rule
   * @param text the problem, and what to do
   */
  public record Finding(ChoiceRule rule, String text) {
    /** Checks that nothing is null. */
    public Finding {
      Arguments.require(rule, "rule");
      Arguments.require(text, "text");
    }

    @Override
    public String toString() {
      return rule + ": " + text;
    }
  }

  /** The rules that an earlier rule hides, and rules for impossible requests. */
  public static List<Finding> of(Rules rules) {
    Arguments.require(rules, "rules");
    List<Finding> findings = new ArrayList<>();
    for (int i = 0; i < rules.rules().size(); i++) {
      ChoiceRule rule = rules.rules().get(i);
      for (ChoiceRule earlier : rules.rules().subList(0, i)) {
        if (isHidden(rule, earlier)) {
          findings.add(
              new Finding(
                  rule,
                  Sentence.of(
                      "it never applies, because '%s' is for the same requests; join them or swap"
                          + " them",
                      earlier)));
          break;
        }
      }
      findings.addAll(impossible(rule));
    }
    return findings;
  }

  /**
   * Whether an earlier rule hides a rule. A rule without operations applies only to the operations
   * of its algorithms.
   */
  private static boolean isHidden(ChoiceRule rule, ChoiceRule earlier) {
    boolean isComparable =
        !earlier.condition().operations().isEmpty()
            || earlier.algorithms().containsAll(rule.algorithms());
    return rule.kind() == earlier.kind()
        && isComparable
        && earlier.condition().covers(rule.condition());
  }

  private static List<Finding> impossible(ChoiceRule rule) {
    RuleCondition condition = rule.condition();
    List<Finding> findings = new ArrayList<>();
    Set<Operation> operations = condition.operations();
    if (!condition.reductions().isEmpty()
        && !operations.isEmpty()
        && operations.stream().noneMatch(REDUCING::contains)) {
      findings.add(new Finding(rule, "it never applies: none of its operations reduces"));
    }
    if (operations.equals(Set.of(Operation.BARRIER))
        && (!condition.types().isEmpty() || !condition.bytes().contains(0))) {
      findings.add(new Finding(rule, "it never applies: a barrier has no type and 0 bytes"));
    }
    if (condition.ranks().max() < Math.max(1, condition.nodes().min())) {
      findings.add(
          new Finding(
              rule,
              Sentence.of(
                  "it never applies: ranks %s cannot be on nodes %s",
                  condition.ranks(), condition.nodes())));
    }
    if (condition.nodes().max() == 0) {
      findings.add(new Finding(rule, "it never applies: every group has a node"));
    }
    for (Topology topology : condition.topologies()) {
      if (!condition.ranks().contains(topology.rankSize())
          || !condition.nodes().contains(topology.nodeCount())) {
        findings.add(
            new Finding(
                rule,
                Sentence.of(
                    "topology %s contradicts its ranks or nodes, so it never applies", topology)));
      }
    }
    return findings;
  }
}
