package dev.tutti.host.pool;

import dev.tutti.plugin.Algorithm;
import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.Arguments;
import java.util.Comparator;
import java.util.Map;

/**
 * An algorithm that was considered for a request.
 *
 * @param algorithm the algorithm
 * @param parameters the values that it would get for its parameters
 * @param isSupported whether it accepts the request
 * @param reason why it does not accept the request; empty if it does
 * @param precedence negative if a rule prefers it, and lowest for the most preferred; positive if a
 *     rule avoids it; else 0
 * @param rule the rule that applies to it, and its position; empty if none applies
 * @param declaredSeconds the time it declares, or infinity if it declares none
 * @param estimate the time by which it is compared with others
 */
public record Candidate(
    Algorithm algorithm,
    AlgOptions parameters,
    boolean isSupported,
    String reason,
    int precedence,
    String rule,
    double declaredSeconds,
    Estimate estimate) {
  /** Refuses null. */
  public Candidate {
    Arguments.require(algorithm, "algorithm");
    Arguments.require(parameters, "parameters");
    Arguments.require(reason, "reason");
    Arguments.require(rule, "rule");
    Arguments.require(estimate, "estimate");
  }

  /** The order of candidates with equal times. It is total and the same on every rank. */
  public static final Comparator<Candidate> TIES =
      Comparator.comparingDouble(Candidate::declaredSeconds)
          .thenComparing(
              (Candidate candidate) -> candidate.algorithm().determinism(),
              Comparator.reverseOrder())
          .thenComparing(candidate -> candidate.algorithm().qualifiedName())
          .thenComparing(candidate -> candidate.parameters().values().toString());

  /** The order of a choice. It is total and the same on every rank. */
  public static final Comparator<Candidate> BEST_FIRST =
      Comparator.comparing((Candidate candidate) -> !candidate.isSupported())
          .thenComparingInt(Candidate::precedence)
          .thenComparingInt(candidate -> candidate.estimate().origin().group())
          .thenComparingDouble(candidate -> candidate.estimate().seconds())
          .thenComparing(TIES);

  /** A candidate that accepts the request, with the cost that it declares. */
  static Candidate supported(Algorithm algorithm, AlgOptions parameters, double declaredSeconds) {
    Estimate estimate =
        Double.isInfinite(declaredSeconds) ? Estimate.NONE : Estimate.declared(declaredSeconds);
    return new Candidate(algorithm, parameters, true, "", 0, "", declaredSeconds, estimate);
  }

  /** A candidate that does not accept the request. */
  static Candidate rejected(Algorithm algorithm, AlgOptions parameters, String reason) {
    return new Candidate(
        algorithm, parameters, false, reason, 0, "", Double.POSITIVE_INFINITY, Estimate.NONE);
  }

  /** The same with a better estimate. */
  public Candidate withEstimate(Estimate better) {
    Arguments.require(better, "better");

    return new Candidate(
        algorithm, parameters, isSupported, reason, precedence, rule, declaredSeconds, better);
  }

  /** The same with other values for the algorithm's parameters and an unknown time. */
  public Candidate withParameters(AlgOptions values) {
    Arguments.require(values, "values");

    return new Candidate(
        algorithm,
        values,
        isSupported,
        reason,
        precedence,
        rule,
        Double.POSITIVE_INFINITY,
        Estimate.NONE);
  }

  /** The same with the precedence that a rule gives it. */
  Candidate ruled(int newPrecedence, String newRule) {
    return new Candidate(
        algorithm,
        parameters,
        isSupported,
        reason,
        newPrecedence,
        newRule,
        declaredSeconds,
        estimate);
  }

  /** The same candidate, excluded from the choice. */
  public Candidate rejected(String why) {
    Arguments.require(why, "why");

    return rejected(algorithm, parameters, why);
  }

  /** The qualified name, with the values of parameters if there are any. */
  public String label() {
    Map<String, String> values = parameters.values();
    return values.isEmpty() ? algorithm.qualifiedName() : algorithm.qualifiedName() + values;
  }
}
