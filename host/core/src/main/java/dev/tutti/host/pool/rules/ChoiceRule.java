package dev.tutti.host.pool.rules;

import dev.tutti.plugin.Algorithm;
import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.Arguments;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.param.OpParam;
import java.util.List;

/**
 * A rule for choosing some algorithms for some requests. Immutable.
 *
 * @param kind what the rule does
 * @param algorithms one name or more, {@code "ring"} or {@code "plugin-id:ring"}, best first
 * @param condition the requests to which the rule applies
 * @param parameters values for the algorithms' parameters, which the caller's values override; for
 *     PIN and PREFER only
 * @param origin the position of the rule, for messages: {@code "rules.json:12"}
 */
public record ChoiceRule(
    RuleKind kind,
    List<String> algorithms,
    RuleCondition condition,
    AlgOptions parameters,
    String origin) {

  /** Checks the names and the parameters. */
  public ChoiceRule {
    Arguments.require(kind, "kind");
    Arguments.require(algorithms, "algorithms");
    Arguments.require(condition, "condition");
    Arguments.require(parameters, "parameters");
    Arguments.require(origin, "origin");
    algorithms = List.copyOf(algorithms);
    if (algorithms.isEmpty()) {
      throw new TuttiException(ErrorCode.INVALID_RULES, "a rule must name at least one algorithm");
    }
    boolean hasParameters = !parameters.values().isEmpty();
    if (hasParameters && (kind == RuleKind.AVOID || kind == RuleKind.DENY)) {
      throw new TuttiException(
          ErrorCode.INVALID_RULES,
          "only pin and prefer take parameters; leave %s out",
          parameters.values().keySet());
    }
  }

  /** The index of an algorithm in the rule, or -1 if the rule does not name it. */
  public int indexOf(Algorithm algorithm) {
    Arguments.require(algorithm, "algorithm");
    int plain = algorithms.indexOf(algorithm.name());
    int qualified = algorithms.indexOf(algorithm.qualifiedName());
    return plain < 0 || qualified < 0 ? Math.max(plain, qualified) : Math.min(plain, qualified);
  }

  /** Whether the rule names an algorithm. */
  public boolean names(Algorithm algorithm) {
    Arguments.require(algorithm, "algorithm");
    return indexOf(algorithm) >= 0;
  }

  /**
   * Whether the rule applies to a request.
   *
   * @param algorithms all algorithms of the request's operation; a rule without operations applies
   *     only to operations that have one of its algorithms
   */
  boolean isFor(OpParam param, List<Algorithm> algorithms) {
    return condition.matches(param)
        && (!condition.operations().isEmpty() || algorithms.stream().anyMatch(this::names));
  }

  /** Its position, its kind and its algorithms: {@code "rules.json:12 pins ring"}. */
  @Override
  public String toString() {
    String verb =
        switch (kind) {
          case PIN -> "pins";
          case PREFER -> "prefers";
          case AVOID -> "avoids";
          case DENY -> "denies";
        };
    return origin + " " + verb + " " + String.join(", ", algorithms);
  }
}
