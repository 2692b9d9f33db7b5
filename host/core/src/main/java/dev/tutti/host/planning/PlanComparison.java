package dev.tutti.host.planning;

import dev.tutti.base.text.Sentence;
import dev.tutti.engine.CompiledPlan;
import dev.tutti.engine.machine.MachineModel;
import dev.tutti.host.config.HostSettings;
import dev.tutti.host.pool.Candidate;
import dev.tutti.host.pool.Estimate;
import dev.tutti.host.pool.PlanPool;
import dev.tutti.host.pool.rules.MeasuredTime;
import dev.tutti.host.pool.rules.RequestTimes;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.simulator.NetworkModel;
import dev.tutti.simulator.Simulation;
import dev.tutti.simulator.Simulator;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Compares the algorithms that accept a call. It makes the plan of each one and computes its time,
 * with the machine model if the group is on one node, else with the network model. All ranks get
 * the same result: whether plans are compared depends on the group's shape and the plans' sizes,
 * never on elapsed time. Beyond the bounds, declared costs are compared.
 */
final class PlanComparison {

  /** The largest group, in ranks, whose candidates are compared by their plans. */
  static final int MAX_RANKS = 256;

  /** The largest number of actions per rank of a compared plan that is allowed in every group. */
  private static final int MAX_RANK_ACTIONS = 4096;

  /** The number of actions of all ranks together that is always allowed. */
  private static final int ENOUGH_ACTIONS = 1 << 16;

  private static final double NANOS_PER_SECOND = 1e9;
  private static final double PICOS_PER_SECOND = 1e12;

  private final PlanKey key;
  private final Topology topology;
  private final PlanPool pool;
  private final PlanMaker maker;
  private final MachineModel machine;
  private final NetworkModel network;

  /** The best candidate so far whose plan was made. */
  private @Nullable Candidate leader;

  private @Nullable CandidatePlan leadersPlan;

  PlanComparison(
      PlanKey key, Topology topology, PlanPool pool, PlanMaker maker, HostSettings settings) {
    this.key = key;
    this.topology = topology;
    this.pool = pool;
    this.maker = maker;
    this.machine = settings.machine();
    this.network = settings.network();
  }

  /** The largest number of actions per rank of a plan that is made for comparison. */
  static int maxActions(int rankSize) {
    return Math.max(MAX_RANK_ACTIONS, ENOUGH_ACTIONS / rankSize);
  }

  /**
   * A candidate with its measured time, or else the computed time of its plan, or else its declared
   * cost.
   */
  Candidate estimated(RequestTimes measured, Candidate candidate) {
    Optional<MeasuredTime> time = measured.time(candidate.algorithm(), candidate.parameters());
    if (time.isPresent()) {
      return candidate.withEstimate(Estimate.measured(time.get().seconds(), time.get().byState()));
    }
    return topology.rankSize() <= MAX_RANKS
        ? planned(candidate)
        : declared(candidate, Sentence.of("the group has more than %d ranks", MAX_RANKS));
  }

  private static Candidate declared(Candidate candidate, String remark) {
    return candidate.withEstimate(candidate.estimate().because(remark));
  }

  private Candidate planned(Candidate candidate) {
    int maxActions = maxActions(topology.rankSize());
    try {
      CandidatePlan plan = maker.make(pool, key, candidate, maxActions);
      Candidate estimated =
          candidate.withEstimate(topology.nodeCount() == 1 ? onMachine(plan) : onNetwork(plan));
      keepIfBest(estimated, plan);
      return estimated;
    } catch (TuttiException e) {
      if (e.code() == ErrorCode.PLAN_TOO_LARGE) {
        return declared(
            candidate, Sentence.of("its plan has more than %d actions of one rank", maxActions));
      }
      throw e;
    }
  }

  /** Keeps only the best plan, because plans of many ranks are large. */
  private void keepIfBest(Candidate candidate, CandidatePlan plan) {
    if (leader == null || Candidate.BEST_FIRST.compare(candidate, leader) < 0) {
      leader = candidate;
      leadersPlan = plan;
    }
  }

  private Estimate onMachine(CandidatePlan plan) {
    CompiledPlan.RunEstimate run = plan.compiled().estimate(machine);
    return Estimate.planned(
        run.nanos() / NANOS_PER_SECOND, run.tasks(), run.bytes(), run.workers());
  }

  private Estimate onNetwork(CandidatePlan plan) {
    Simulation simulation = Simulator.of(network.withTopology(topology)).run(plan.plan());
    return Estimate.simulated(
        simulation.time() / PICOS_PER_SECOND,
        simulation.traffic().messages(),
        simulation.traffic().bytes());
  }

  /** The plan of the best candidate, if it was made. */
  @Nullable CandidatePlan planOf(Candidate best) {
    return best.equals(leader) ? leadersPlan : null;
  }
}
