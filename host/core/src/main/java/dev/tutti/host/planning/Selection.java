package dev.tutti.host.planning;

import dev.tutti.base.text.Sentence;
import dev.tutti.engine.RunEstimate;
import dev.tutti.engine.machine.MachineModel;
import dev.tutti.host.config.HostSettings;
import dev.tutti.host.pool.Candidate;
import dev.tutti.host.pool.Choice;
import dev.tutti.host.pool.Estimate;
import dev.tutti.host.pool.PlanPool;
import dev.tutti.host.pool.rules.MeasuredTime;
import dev.tutti.host.pool.rules.RequestTimes;
import dev.tutti.host.pool.rules.Rules;
import dev.tutti.plugin.Algorithm;
import dev.tutti.plugin.live.Catalogue;
import dev.tutti.plugin.live.Generation;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.param.OpParam;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.simulator.NetworkModel;
import dev.tutti.simulator.Simulation;
import dev.tutti.simulator.Simulator;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The choice for one call among what one catalogue serves, and the plans that were made on the way.
 * Confined to one thread.
 *
 * <p>If more than one algorithm takes the call, each one's plan is made and its time computed: on
 * this machine if the group is on one node, else on the network between its nodes. All ranks do the
 * same: whether plans are compared depends on the group's shape and the plans' sizes, never on
 * time. Beyond the bounds, declared costs are compared.
 */
final class Selection {

  /** The most ranks of a group whose candidates are compared by their plans. */
  static final int MAX_RANKS = 256;

  /** The most actions of one rank of a plan that is made to be compared, in any group. */
  private static final int MAX_RANK_ACTIONS = 4096;

  /** So many actions of all ranks are never too many. */
  private static final int ENOUGH_ACTIONS = 1 << 16;

  private static final double NANOS_PER_SECOND = 1e9;
  private static final double PICOS_PER_SECOND = 1e12;

  private final PlanKey key;
  private final Topology topology;
  private final Catalogue catalogue;
  private final PlanPool pool;
  private final PlanMaker maker;
  private final MachineModel machine;
  private final NetworkModel network;
  private final Rules rules;
  private final Map<Algorithm, TuttiException> failures;

  /** What algorithms threw when they were asked whether they take the call. */
  private final Map<Algorithm, TuttiException> failuresToAnswer = new LinkedHashMap<>();

  /** The best one so far whose plan was made to be compared, and that plan. */
  private @Nullable Candidate leader;

  private @Nullable CandidatePlan leadersPlan;

  /** Whose plan is being made; permanent before there is any. */
  private Generation generation = Generation.PERMANENT;

  private @Nullable Algorithm working;

  /** Whether the plan that is being made is one of several to be compared. */
  private boolean isComparing;

  /**
   * A choice to be made.
   *
   * @param failures what went wrong with algorithms in attempts before, which are out
   */
  Selection(
      PlanKey key,
      Topology topology,
      Catalogue catalogue,
      PlanMaker maker,
      HostSettings settings,
      Map<Algorithm, TuttiException> failures) {
    this.key = key;
    this.topology = topology;
    this.catalogue = catalogue;
    this.pool = new PlanPool(catalogue.plugins().algorithms(), settings.planningLimit());
    this.maker = maker;
    this.machine = settings.machine();
    this.network = settings.network();
    this.rules = settings.rules();
    this.failures = failures;
  }

  /** The generation whose plan was made last, or could not be made. */
  Generation generation() {
    return generation;
  }

  /** The algorithm whose plan was made last, or could not be made. */
  @Nullable Algorithm working() {
    return working;
  }

  /** Whether the plan that was made last, or could not be made, was one of several to compare. */
  boolean isComparing() {
    return isComparing;
  }

  /** What algorithms that are out of the choice threw when they were asked. */
  Map<Algorithm, TuttiException> failuresToAnswer() {
    return Collections.unmodifiableMap(failuresToAnswer);
  }

  /** The most actions of one rank of a plan that is made to be compared. */
  static int maxActions(int rankSize) {
    return Math.max(MAX_RANK_ACTIONS, ENOUGH_ACTIONS / rankSize);
  }

  /** Chooses; with every estimate if that is asked for, else with those that the choice needs. */
  Choice choose(boolean isComplete) {
    OpParam param = chosenBy();
    Choice first =
        pool.choose(param, key.algorithm(), rules, failuresToAnswer::putIfAbsent)
            .with(this::withoutFailed);
    List<Candidate> compared = isComplete ? first.possible() : first.rivals();
    if (!isComplete && compared.size() < 2) {
      return first;
    }
    RequestTimes measured =
        rules.profile().on(param, compared.stream().map(Candidate::algorithm).toList());
    return first.with(each -> compared.contains(each) ? estimated(measured, each) : each);
  }

  /** The view by which an algorithm is chosen: rank 0's, or the sender's. */
  private OpParam chosenBy() {
    int rank = key.call().isTransfer() ? key.call().root() : 0;
    List<@Nullable OpParam> params = maker.params(key, key.parameters());
    return Objects.requireNonNull(params.get(rank), "a rank that takes part");
  }

  private Candidate withoutFailed(Candidate candidate) {
    TuttiException failure = failures.get(candidate.algorithm());
    return failure == null || !candidate.isSupported()
        ? candidate
        : candidate.rejected("its plan cannot be made: " + failure.getMessage());
  }

  private Candidate estimated(RequestTimes measured, Candidate candidate) {
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
    isComparing = true;
    int maxActions = maxActions(topology.rankSize());
    try {
      CandidatePlan plan = make(candidate, maxActions);
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

  /** Plans of many ranks are large, so only one is held. */
  private void keepIfBest(Candidate candidate, CandidatePlan plan) {
    if (leader == null || Candidate.BEST_FIRST.compare(candidate, leader) < 0) {
      leader = candidate;
      leadersPlan = plan;
    }
  }

  private Estimate onMachine(CandidatePlan plan) {
    RunEstimate run = plan.compiled().estimate(machine);
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

  /** The plan of the chosen candidate. */
  CandidatePlan planOf(Candidate chosen) {
    isComparing = false;
    CandidatePlan plan = leadersPlan;
    if (plan == null || !chosen.equals(leader)) {
      return make(chosen, Integer.MAX_VALUE);
    }
    workOn(chosen);
    return plan;
  }

  private CandidatePlan make(Candidate candidate, int maxActions) {
    workOn(candidate);
    return maker.make(pool, key, candidate, maxActions);
  }

  private void workOn(Candidate candidate) {
    working = candidate.algorithm();
    generation = catalogue.generationOf(candidate.algorithm());
  }
}
