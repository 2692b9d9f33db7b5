package dev.tutti.simulator;

import dev.tutti.plan.GroupPlan;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.param.OpParam;
import dev.tutti.simulator.flow.FlatPlan;
import org.jspecify.annotations.Nullable;

/**
 * Computes how long plans take in a network model. Immutable and thread-safe; the same plan and
 * model give the same simulation.
 *
 * <pre>{@code
 * Simulation simulation = Simulator.of(NetworkModel.machine()).run(plan, param);
 * System.out.println(simulation);
 * }</pre>
 */
public final class Simulator {

  private final NetworkModel model;

  private Simulator(NetworkModel model) {
    this.model = model;
  }

  /** A simulator of a network. */
  public static Simulator of(NetworkModel model) {
    return new Simulator(model);
  }

  /**
   * Simulates a plan without its operation; the result has no bandwidths and no bound.
   *
   * @throws TuttiException with {@link ErrorCode#DEADLOCK} if the plan cannot finish, {@link
   *     ErrorCode#INVALID_ARGUMENT} if the network has a different number of ranks or the time
   *     exceeds 2^63 ps, {@link ErrorCode#OUT_OF_BOUNDS} or {@link ErrorCode#LINK_MISMATCH} if the
   *     plan is broken
   */
  public Simulation run(GroupPlan plan) {
    return simulate(plan, null);
  }

  /**
   * Simulates a plan of an operation whose counts are the same on all ranks.
   *
   * @param param the request as any rank sees it
   * @throws TuttiException as {@link #run(GroupPlan)}
   */
  public Simulation run(GroupPlan plan, OpParam param) {
    return run(plan, Workload.of(param));
  }

  /**
   * Simulates a plan of an operation.
   *
   * @throws TuttiException as {@link #run(GroupPlan)}
   */
  public Simulation run(GroupPlan plan, Workload workload) {
    if (workload.rankSize() != plan.rankSize()) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT,
          "plan and operation must have the same ranks. Actual: %d and %d",
          plan.rankSize(),
          workload.rankSize());
    }
    return simulate(plan, workload);
  }

  private Simulation simulate(GroupPlan plan, @Nullable Workload workload) {
    FlatPlan flat = FlatPlan.of(plan);
    Network network = new Network(model, plan.rankSize());
    Engine engine = new Engine(flat, network, null);
    engine.run();
    return new Simulation(flat, network, workload, engine);
  }
}
