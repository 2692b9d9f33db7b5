package dev.tutti.verifier.resource;

import dev.tutti.plan.GroupPlan;
import dev.tutti.sdk.Cost;
import dev.tutti.simulator.PlanCost;
import dev.tutti.simulator.Workload;
import dev.tutti.verifier.rule.Finding;
import dev.tutti.verifier.rule.Rule;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Rule OPT: compares the cost of a plan with the lower bound of its operation (OPT-1) and with the
 * declared cost (OPT-2).
 */
public final class OptimalityCheck {

  /** The tolerance of a declared coefficient. */
  public static final double TOLERANCE = 0.05;

  /**
   * The most bytes by which an algorithm may round up a slice, to whole elements or cache lines. So
   * a coefficient in bytes may differ by this much for each step.
   */
  private static final int ROUNDING_BYTES = 128;

  private OptimalityCheck() {}

  /**
   * Judges a plan.
   *
   * @param declared the cost that its executor declares; empty if it declares none
   * @return what is worth knowing, empty if nothing is
   * @throws dev.tutti.sdk.TuttiException as {@link PlanCost#of}
   */
  public static List<Finding> check(GroupPlan plan, Workload workload, Optional<Cost> declared) {
    return judge(PlanCost.of(plan), workload, declared);
  }

  /**
   * Judges a plan.
   *
   * @param cost the cost of the plan
   * @param declared the cost that its executor declares; empty if it declares none
   * @return what is worth knowing, empty if nothing is
   */
  public static List<Finding> judge(PlanCost cost, Workload workload, Optional<Cost> declared) {
    List<Finding> findings = new ArrayList<>();
    Cost derived = cost.coefficients();
    long bytes = cost.busiestBytes();
    int steps = (int) derived.alphas();
    if (steps > workload.minSteps() || bytes > allowed(workload.minBytes())) {
      findings.add(
          new Finding(
              Rule.ABOVE_LOWER_BOUND,
              "%d message step%s, and %d byte%s through the busiest rank; %s of %d ranks needs %d and %d"
                  .formatted(
                      steps,
                      steps == 1 ? "" : "s",
                      bytes,
                      bytes == 1 ? "" : "s",
                      workload.operation().label(),
                      workload.rankSize(),
                      workload.minSteps(),
                      workload.minBytes())));
    }
    declared
        .filter(told -> !workload.isEmpty() && !agrees(told, derived))
        .ifPresent(told -> findings.add(differs(told, derived)));
    return findings;
  }

  private static double allowed(long bytes) {
    return bytes * (1 + TOLERANCE) + ROUNDING_BYTES;
  }

  private static boolean agrees(Cost declared, Cost derived) {
    double rounding = derived.alphas() * ROUNDING_BYTES;
    return isNear(declared.alphas(), derived.alphas(), 0)
        && isNear(declared.betaBytes(), derived.betaBytes(), rounding)
        && isNear(declared.gammaBytes(), derived.gammaBytes(), rounding);
  }

  private static boolean isNear(double declared, double derived, double rounding) {
    return Math.abs(declared - derived) <= TOLERANCE * derived + rounding;
  }

  private static Finding differs(Cost declared, Cost derived) {
    return new Finding(
        Rule.COST_DIFFERS,
        "declared %s; the plan costs %s. Correct cost(), or the plan"
            .formatted(text(declared), text(derived)));
  }

  private static String text(Cost cost) {
    return "%sα + %sβ + %sγ"
        .formatted(number(cost.alphas()), number(cost.betaBytes()), number(cost.gammaBytes()));
  }

  private static String number(double value) {
    return value == Math.rint(value)
        ? String.format(Locale.ROOT, "%.0f", value)
        : String.format(Locale.ROOT, "%.1f", value);
  }
}
