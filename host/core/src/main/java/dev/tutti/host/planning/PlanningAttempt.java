package dev.tutti.host.planning;

import dev.tutti.base.text.Sentence;
import dev.tutti.engine.MemoryUse;
import dev.tutti.engine.RunEstimate;
import dev.tutti.engine.machine.MachineModel;
import dev.tutti.host.config.HostSettings;
import dev.tutti.host.planning.PlanningOutcome.Chosen;
import dev.tutti.host.planning.PlanningOutcome.Failed;
import dev.tutti.host.planning.PlanningOutcome.Refused;
import dev.tutti.host.pool.Candidate;
import dev.tutti.host.pool.Choice;
import dev.tutti.host.pool.Estimate;
import dev.tutti.host.pool.PlanPool;
import dev.tutti.host.pool.rules.MeasuredTime;
import dev.tutti.host.pool.rules.RequestTimes;
import dev.tutti.host.pool.rules.Rules;
import dev.tutti.host.watch.HostEvents;
import dev.tutti.host.watch.RunFacts;
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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * One attempt to plan a call with what one catalogue serves: the choice, and the plans that were
 * made on the way. Errors with a code are outcomes, and nothing has to be asked after a throw.
 * Confined to one thread, and used once.
 *
 * <p>If more than one algorithm takes the call, each one's plan is made and its time computed: on
 * this machine if the group is on one node, else on the network between its nodes. All ranks do the
 * same: whether plans are compared depends on the group's shape and the plans' sizes, never on
 * time. Beyond the bounds, declared costs are compared.
 */
final class PlanningAttempt {

  /** The most ranks of a group whose candidates are compared by their plans. */
  static final int MAX_RANKS = 256;

  /** The most actions of one rank of a plan that is made to be compared, in any group. */
  private static final int MAX_RANK_ACTIONS = 4096;

  /** So many actions of all ranks are never too many. */
  private static final int ENOUGH_ACTIONS = 1 << 16;

  private static final double NANOS_PER_SECOND = 1e9;
  private static final double PICOS_PER_SECOND = 1e12;

  private final PlanKey key;
  private final long group;
  private final Topology topology;
  private final Catalogue catalogue;
  private final PlanPool pool;
  private final PlanMaker maker;
  private final MachineModel machine;
  private final NetworkModel network;
  private final Rules rules;
  private final Map<Algorithm, TuttiException> passedOver;

  /** Of algorithms that were asked whether they take the call; the first one of each counts. */
  private final Map<Algorithm, AlgorithmFailure> unanswered = new LinkedHashMap<>();

  /** The best one so far whose plan was made to be compared, and that plan. */
  private @Nullable Candidate leader;

  private @Nullable CandidatePlan leadersPlan;

  /**
   * An attempt to be made.
   *
   * @param group the number of the group
   * @param passedOver what went wrong with algorithms in attempts before, which are out
   */
  PlanningAttempt(
      PlanKey key,
      long group,
      Topology topology,
      Catalogue catalogue,
      PlanMaker maker,
      HostSettings settings,
      Map<Algorithm, TuttiException> passedOver) {
    this.key = key;
    this.group = group;
    this.topology = topology;
    this.catalogue = catalogue;
    this.pool = new PlanPool(catalogue.plugins().algorithms(), settings.planningLimit());
    this.maker = maker;
    this.machine = settings.machine();
    this.network = settings.network();
    this.rules = settings.rules();
    this.passedOver = passedOver;
  }

  /** The most actions of one rank of a plan that is made to be compared. */
  static int maxActions(int rankSize) {
    return Math.max(MAX_RANK_ACTIONS, ENOUGH_ACTIONS / rankSize);
  }

  /** Chooses; with every estimate if that is asked for, else with those that the choice needs. */
  PlanningOutcome<Choice> choose(boolean isComplete) {
    return asked(this::chosenBy).then(param -> choose(param, isComplete));
  }

  private PlanningOutcome<Choice> choose(OpParam param, boolean isComplete) {
    return asked(() -> answers(param))
        .then(
            first -> {
              List<Candidate> compared = isComplete ? first.possible() : first.rivals();
              return isComplete || compared.size() > 1
                  ? compared(param, first, compared)
                  : chosen(first);
            });
  }

  /** The algorithms' answers, as far as they are still in the choice. */
  private Choice answers(OpParam param) {
    return pool.choose(param, key.algorithm(), rules, this::noteUnanswered)
        .with(this::withoutPassedOver);
  }

  /** The choice with estimates of some candidates; the first one whose plan fails ends it. */
  private PlanningOutcome<Choice> compared(OpParam param, Choice first, List<Candidate> some) {
    List<Algorithm> algorithms = some.stream().map(Candidate::algorithm).toList();
    return asked(() -> rules.profile().on(param, algorithms))
        .then(
            measured -> {
              PlanningOutcome<Choice> outcome = chosen(first);
              for (Candidate each : some) {
                outcome =
                    outcome.then(
                        choice ->
                            tried(
                                each,
                                PlanningPhase.COMPARING,
                                () -> choice.with(replaced(each, estimated(measured, each)))));
              }
              return outcome;
            });
  }

  private static UnaryOperator<Candidate> replaced(Candidate old, Candidate by) {
    return each -> each.equals(old) ? by : each;
  }

  /** Chooses, makes the plan of the best, and judges what a watched plugin has planned. */
  PlanningOutcome<SelectedPlan> plan() {
    HostEvents.Choose event = HostEvents.begin(HostEvents.Choose::new);
    return choose(false)
        .then(choice -> asked(choice::best))
        .then(
            best -> {
              HostEvents.end(event, () -> facts(best), null);
              return tried(best, PlanningPhase.PLANNING, () -> planOf(best))
                  .then(plan -> tried(best, PlanningPhase.JUDGING, () -> judged(best, plan)));
            });
  }

  private RunFacts facts(Candidate best) {
    return SelectedPlan.facts(group, key, maker.params(key, key.parameters()), best.algorithm());
  }

  private SelectedPlan judged(Candidate best, CandidatePlan plan) {
    Generation generation = catalogue.generationOf(best.algorithm());
    if (generation != Generation.PERMANENT) {
      PlanJudge.check(plan.plan(), plan.params(), best.algorithm());
    }
    generation.planned();
    return new SelectedPlan(
        key,
        plan.params(),
        best.algorithm(),
        plan.whole(),
        plan.compiled(),
        MemoryUse.of(plan.whole()),
        plan.packing(),
        generation,
        catalogue.number());
  }

  private <T> PlanningOutcome<T> chosen(T value) {
    return new Chosen<>(value, answersMissing());
  }

  /** What is asked of all algorithms together: if it fails, none of them is to blame. */
  private <T> PlanningOutcome<T> asked(Supplier<T> work) {
    try {
      return chosen(work.get());
    } catch (TuttiException e) {
      return new Refused<>(e, answersMissing());
    }
  }

  /** What is tried with one algorithm. */
  private <T> PlanningOutcome<T> tried(Candidate candidate, PlanningPhase phase, Supplier<T> work) {
    try {
      return chosen(work.get());
    } catch (TuttiException e) {
      return new Failed<>(failure(candidate.algorithm(), phase, e), answersMissing());
    }
  }

  private AlgorithmFailure failure(Algorithm algorithm, PlanningPhase phase, TuttiException cause) {
    return new AlgorithmFailure(algorithm, catalogue.generationOf(algorithm), phase, cause);
  }

  private void noteUnanswered(Algorithm algorithm, TuttiException cause) {
    unanswered.putIfAbsent(algorithm, failure(algorithm, PlanningPhase.ANSWERING, cause));
  }

  private List<AlgorithmFailure> answersMissing() {
    return List.copyOf(unanswered.values());
  }

  /** The view by which an algorithm is chosen: rank 0's, or the sender's. */
  private OpParam chosenBy() {
    int rank = key.call().isTransfer() ? key.call().root() : 0;
    List<@Nullable OpParam> params = maker.params(key, key.parameters());
    return Objects.requireNonNull(params.get(rank), "a rank that takes part");
  }

  private Candidate withoutPassedOver(Candidate candidate) {
    TuttiException failure = passedOver.get(candidate.algorithm());
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
  private CandidatePlan planOf(Candidate chosen) {
    CandidatePlan plan = leadersPlan;
    return plan == null || !chosen.equals(leader)
        ? maker.make(pool, key, chosen, Integer.MAX_VALUE)
        : plan;
  }
}
