package dev.tutti.testkit.simulate;

import dev.tutti.plan.GroupPlan;
import dev.tutti.sdk.Cost;
import dev.tutti.testkit.flow.FlatPlan;
import dev.tutti.testkit.flow.Moves;
import dev.tutti.testkit.flow.Segments;
import dev.tutti.testkit.flow.Walk;
import dev.tutti.testkit.rule.Finding;
import dev.tutti.testkit.rule.Rule;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Rule OPT: what a plan costs against what its operation must cost (OPT-1) and against what its
 * author says (OPT-2).
 */
public final class OptimalityCheck {

  /** By how much a declared coefficient may differ from the derived one. */
  public static final double TOLERANCE = 0.05;

  /**
   * What a slice may be rounded up by, and so what a coefficient in bytes may differ by for each
   * step: slices are whole elements, or whole cache lines.
   */
  private static final int ROUNDING_BYTES = 128;

  /** The unit that a term is set to while the two others are 0. */
  private static final long UNIT_PS = 1000;

  private OptimalityCheck() {}

  /**
   * Judges a plan.
   *
   * @param declared what its executor says it costs; empty if it says nothing
   * @return what is worth knowing, empty if nothing is
   * @throws dev.tutti.sdk.TuttiException as {@link Simulator#run(GroupPlan)}
   */
  public static List<Finding> check(GroupPlan plan, Workload workload, Optional<Cost> declared) {
    FlatPlan flat = FlatPlan.of(plan);
    return judge(flat, costs(flat), workload, declared);
  }

  /** Adds up what a plan costs, along a walk of it. */
  public static final class Costing {
    private final FlatPlan plan;
    private final PlainCosts costs;
    private final Workload workload;
    private final Optional<Cost> declared;

    private Costing(FlatPlan plan, PlainCosts costs, Workload workload, Optional<Cost> declared) {
      this.plan = plan;
      this.costs = costs;
      this.workload = workload;
      this.declared = declared;
    }

    /** Must see one walk of the plan. */
    public Walk.Visitor visitor() {
      return costs;
    }

    /** What is worth knowing of a plan whose walk has come to its end. */
    public List<Finding> judge() {
      return OptimalityCheck.judge(plan, costs, workload, declared);
    }
  }

  /**
   * Prepares to judge a plan whose walk somebody else does.
   *
   * @param moves of the plan
   * @param declared what its executor says it costs; empty if it says nothing
   */
  public static Costing costing(
      FlatPlan plan, Moves moves, Workload workload, Optional<Cost> declared) {
    return new Costing(plan, new PlainCosts(plan, moves), workload, declared);
  }

  private static List<Finding> judge(
      FlatPlan plan, PlainCosts costs, Workload workload, Optional<Cost> declared) {
    List<Finding> findings = new ArrayList<>();
    Cost derived = derive(plan, costs);
    long bytes = costs.busiestBytes();
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
        .filter(cost -> !workload.isEmpty() && !agrees(cost, derived))
        .ifPresent(cost -> findings.add(differs(cost, derived)));
    return findings;
  }

  private static double allowed(long bytes) {
    return bytes * (1 + TOLERANCE) + ROUNDING_BYTES;
  }

  /**
   * The cost of a plan under the plain model: each coefficient is the time when its term is 1 and
   * the others are 0, so each follows the path that is critical for it.
   *
   * @throws dev.tutti.sdk.TuttiException as {@link Simulator#run(GroupPlan)}
   */
  public static Cost derive(GroupPlan plan) {
    FlatPlan flat = FlatPlan.of(plan);
    return derive(flat, costs(flat));
  }

  private static PlainCosts costs(FlatPlan flat) {
    PlainCosts costs = new PlainCosts(flat, Moves.of(flat, Segments.ofWritten(flat, 1), 1));
    if (!new Walk(flat, costs).run()) {
      costs.distrust();
    }
    return costs;
  }

  private static Cost derive(FlatPlan plan, PlainCosts costs) {
    if (costs.isAlone()) {
      return new Cost(costs.alphas(), costs.betaBytes(), costs.gammaBytes());
    }
    PerByte unit = PerByte.of(UNIT_PS);
    return new Cost(
        coefficient(plan, NetworkModel.plain(UNIT_PS, PerByte.FREE, PerByte.FREE)),
        coefficient(plan, NetworkModel.plain(0, unit, PerByte.FREE)),
        coefficient(plan, NetworkModel.plain(0, PerByte.FREE, unit)));
  }

  private static double coefficient(FlatPlan plan, NetworkModel model) {
    Engine engine = new Engine(plan, new Network(model, plan.plan().rankSize()), null);
    engine.run();
    long time = 0;
    for (long finish : engine.rankFinish()) {
      time = Math.max(time, finish);
    }
    return (double) time / UNIT_PS;
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
