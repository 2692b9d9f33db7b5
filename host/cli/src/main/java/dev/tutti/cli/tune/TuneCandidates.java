package dev.tutti.cli.tune;

import dev.tutti.host.pool.Candidate;
import dev.tutti.host.pool.Choice;
import dev.tutti.host.pool.Estimate;
import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.AlgParameter;
import java.util.ArrayList;
import java.util.List;

/** Chooses the algorithms that are measured for a request, and the values of their parameters. */
final class TuneCandidates {

  /** An algorithm is measured if its estimate is at most this many times the fastest estimate. */
  static final double MAX_RATIO = 4;

  private TuneCandidates() {}

  /**
   * The candidates that accept the request.
   *
   * @param choice a choice with every estimate
   * @param isAll whether to include candidates with far slower estimates
   */
  static List<Candidate> of(Choice choice, boolean isAll) {
    double fastest =
        choice.possible().stream()
            .filter(TuneCandidates::isComparable)
            .mapToDouble(each -> each.estimate().seconds())
            .min()
            .orElse(Double.POSITIVE_INFINITY);
    List<Candidate> candidates = new ArrayList<>();
    for (Candidate each : choice.possible()) {
      boolean isFar = isComparable(each) && each.estimate().seconds() > MAX_RATIO * fastest;
      boolean isDefault = each.parameters().values().isEmpty();
      if (isDefault && (isAll || !isFar)) {
        candidates.add(each);
        candidates.addAll(variants(each));
      }
    }
    return candidates;
  }

  private static boolean isComparable(Candidate candidate) {
    Estimate.Origin origin = candidate.estimate().origin();
    return origin == Estimate.Origin.PLAN || origin == Estimate.Origin.PROFILE;
  }

  /**
   * The variants of a candidate, each with another value of one parameter. Numbers keep their
   * defaults; only parameters with a list of values vary.
   */
  private static List<Candidate> variants(Candidate candidate) {
    List<Candidate> variants = new ArrayList<>();
    for (AlgParameter<?> parameter : candidate.algorithm().parameters()) {
      if (!(parameter.defaultValue() instanceof Long)) {
        for (String value : parameter.range().split(" \\| ", -1)) {
          if (!value.equals(parameter.defaultValue().toString())) {
            variants.add(candidate.withParameters(AlgOptions.none().with(parameter.name(), value)));
          }
        }
      }
    }
    return variants;
  }
}
