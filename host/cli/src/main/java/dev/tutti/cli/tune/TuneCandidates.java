package dev.tutti.cli.tune;

import dev.tutti.host.pool.Candidate;
import dev.tutti.host.pool.Choice;
import dev.tutti.host.pool.Estimate;
import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.AlgParameter;
import java.util.ArrayList;
import java.util.List;

/** Which algorithms are measured for a request, and with which values of their parameters. */
final class TuneCandidates {

  /** How many times as long as the fastest an algorithm may take by its plan to be measured. */
  static final double MAX_RATIO = 4;

  private TuneCandidates() {}

  /**
   * Those that take the request.
   *
   * @param choice with every estimate
   * @param isAll whether those that would be far slower by their plans are wanted too
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

  /** One other value of one parameter that has few values; numbers keep their defaults. */
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
