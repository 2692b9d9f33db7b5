package dev.tutti.simulator;

import dev.tutti.plan.GroupPlan;
import dev.tutti.sdk.Cost;
import dev.tutti.simulator.flow.FlatPlan;
import dev.tutti.simulator.flow.Moves;
import dev.tutti.simulator.flow.Segments;
import dev.tutti.simulator.flow.Walk;

/**
 * The cost of a plan under the plain model. Each coefficient is the time when its term is 1 and the
 * others are 0, so each has its own critical path. Not thread-safe.
 */
public final class PlanCost {

  /** The value of a term while the two others are 0. */
  private static final long UNIT_PS = 1000;

  private final FlatPlan plan;
  private final PlainCosts costs;

  private PlanCost(FlatPlan plan, Moves moves) {
    this.plan = plan;
    this.costs = new PlainCosts(plan, moves);
  }

  /**
   * The cost of a plan.
   *
   * @throws dev.tutti.sdk.TuttiException as {@link Simulator#run(GroupPlan)}
   */
  public static PlanCost of(GroupPlan plan) {
    FlatPlan flat = FlatPlan.of(plan);
    PlanCost cost = new PlanCost(flat, Moves.of(flat, Segments.ofWritten(flat, 1), 1));
    if (!new Walk(flat, cost.costs).run()) {
      cost.costs.distrust();
    }
    return cost;
  }

  /**
   * The cost of a plan that the caller walks. Its {@linkplain #visitor visitor} must see one walk
   * before the caller reads the cost.
   *
   * @param moves the moves of the plan
   */
  public static PlanCost along(FlatPlan plan, Moves moves) {
    return new PlanCost(plan, moves);
  }

  /** The visitor that adds up the cost along a walk. */
  public Walk.Visitor visitor() {
    return costs;
  }

  /** Bytes through the port of the rank that sends or receives most. */
  public long busiestBytes() {
    return costs.busiestBytes();
  }

  /** The coefficients. */
  public Cost coefficients() {
    if (costs.isAlone()) {
      return new Cost(costs.alphas(), costs.betaBytes(), costs.gammaBytes());
    }
    PerByte unit = PerByte.of(UNIT_PS);
    return new Cost(
        coefficient(NetworkModel.plain(UNIT_PS, PerByte.FREE, PerByte.FREE)),
        coefficient(NetworkModel.plain(0, unit, PerByte.FREE)),
        coefficient(NetworkModel.plain(0, PerByte.FREE, unit)));
  }

  private double coefficient(NetworkModel model) {
    Engine engine = new Engine(plan, new Network(model, plan.plan().rankSize()), null);
    engine.run();
    long time = 0;
    for (long finish : engine.rankFinish()) {
      time = Math.max(time, finish);
    }
    return (double) time / UNIT_PS;
  }
}
