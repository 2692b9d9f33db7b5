package dev.tutti.host.planning;

import dev.tutti.base.text.Sentence;
import dev.tutti.engine.MemoryUse;
import dev.tutti.host.config.HostSettings;
import dev.tutti.host.planning.PlanningOutcome.Chosen;
import dev.tutti.host.planning.PlanningOutcome.Failed;
import dev.tutti.host.planning.PlanningOutcome.Refused;
import dev.tutti.host.pool.Candidate;
import dev.tutti.host.pool.Choice;
import dev.tutti.host.pool.PlanPool;
import dev.tutti.host.pool.rules.Rules;
import dev.tutti.host.pool.rules.Ruling;
import dev.tutti.host.status.RunFacts;
import dev.tutti.host.watch.HostEvents;
import dev.tutti.plan.work.Work;
import dev.tutti.plugin.Algorithm;
import dev.tutti.plugin.live.Catalogue;
import dev.tutti.plugin.live.Generation;
import dev.tutti.sdk.Support;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.param.OpParam;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.verifier.gate.PluginText;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * One attempt to plan a call with the algorithms of one catalogue: the choice, and the plans made
 * for it. Errors with a code are returned as outcomes, so no state must be read after an exception.
 * Confined to one thread, and used once.
 */
final class PlanningAttempt {

  private final PlanKey key;

  /** The call by which an algorithm is chosen: the one that represents its class of sizes. */
  private final PlanKey chosenAs;

  private final long group;
  private final Topology topology;
  private final Catalogue catalogue;
  private final PlanPool pool;
  private final PlanMaker maker;
  private final HostSettings settings;
  private final PlanComparison comparison;
  private final Rules rules;
  private final Choices choices;
  private final Map<Algorithm, TuttiException> passedOver;

  /** The first failure of each algorithm that was asked whether it accepts the call. */
  private final Map<Algorithm, AlgorithmFailure> unanswered = new LinkedHashMap<>();

  /**
   * Prepares an attempt.
   *
   * @param chosenAs the call by which an algorithm is chosen
   * @param group the number of the group
   * @param pool the algorithms of the catalogue
   * @param choices earlier choices
   * @param passedOver the algorithms that failed in earlier attempts and are excluded, with their
   *     errors
   */
  PlanningAttempt(
      PlanKey key,
      PlanKey chosenAs,
      long group,
      Topology topology,
      Catalogue catalogue,
      PlanPool pool,
      PlanMaker maker,
      HostSettings settings,
      Choices choices,
      Map<Algorithm, TuttiException> passedOver) {
    this.key = key;
    this.chosenAs = chosenAs;
    this.group = group;
    this.topology = topology;
    this.catalogue = catalogue;
    this.pool = pool;
    this.maker = maker;
    this.settings = settings;
    this.comparison = new PlanComparison(chosenAs, topology, pool, maker, settings);
    this.rules = settings.rules();
    this.choices = choices;
    this.passedOver = passedOver;
  }

  /** An attempt that chooses by the call itself, because no algorithm of its class accepts it. */
  private PlanningAttempt exact() {
    return new PlanningAttempt(
        key, key, group, topology, catalogue, pool, maker, settings, choices, passedOver);
  }

  /** Explains the choice: every estimate, and which algorithms accept the call itself. */
  PlanningOutcome<Choice> explain() {
    return ruling()
        .then(ruling -> compared(ruling, true))
        .then(
            choice -> {
              PlanningOutcome<Choice> outcome = chosen(choice);
              for (Candidate each : choice.possible()) {
                outcome = outcome.then(known -> withAnswer(known, each));
              }
              return outcome;
            })
        .then(
            choice ->
                choice.isPossible() || chosenAs.equals(key) ? chosen(choice) : exact().explain())
        .then(choice -> asked(() -> inWords(choice)));
  }

  /** The choice, with a candidate rejected if it does not accept the call. */
  private PlanningOutcome<Choice> withAnswer(Choice choice, Candidate candidate) {
    return answer(candidate)
        .then(
            support ->
                chosen(
                    support.isSupported()
                        ? choice
                        : choice.with(
                            replaced(
                                candidate, candidate.rejected(PluginText.cut(support.reason()))))));
  }

  private Choice inWords(Choice choice) {
    OpParam own = view(key);
    StringBuilder text = new StringBuilder(PlanPool.words(own));
    if (!chosenAs.equals(key)) {
      text.append(Sentence.of(", chosen as for %d bytes", view(chosenAs).messageBytes()));
    }
    String way = choice.isPossible() ? maker.wayOfMaking(pool, key, choice.best()) : "";
    text.append(way.isEmpty() ? "" : "\n  plan: " + way);
    return new Choice(text.toString(), choice.candidates());
  }

  /** Whether a candidate of the class accepts the call itself. */
  private PlanningOutcome<Support> answer(Candidate candidate) {
    return chosenAs.equals(key)
        ? chosen(Support.yes())
        : tried(
            candidate,
            PlanningPhase.COMPARING,
            () -> maker.supports(candidate, view(key).withOptions(candidate.parameters())));
  }

  /** The rules that apply to the call itself. */
  private PlanningOutcome<Ruling> ruling() {
    return asked(
        () -> {
          OpParam own = view(key);
          return rules.on(own, pool.algorithms(own.operation()));
        });
  }

  /** The choice for the class of the call: an earlier one, or one that is made now. */
  private PlanningOutcome<Choice> choice(Ruling ruling) {
    boolean isKept = passedOver.isEmpty() && key.algorithm() == null;
    Choice known = isKept ? choices.find(chosenAs, ruling, catalogue.number()) : null;
    return known != null
        ? chosen(known)
        : compared(ruling, false)
            .then(
                choice -> {
                  if (isKept && unanswered.isEmpty()) {
                    choices.add(chosenAs, ruling, catalogue.number(), choice);
                  }
                  return chosen(choice);
                });
  }

  /** The choice, with every estimate if requested, else only with the necessary ones. */
  private PlanningOutcome<Choice> compared(Ruling ruling, boolean isComplete) {
    return asked(() -> view(chosenAs))
        .then(
            param ->
                asked(() -> answers(param, ruling))
                    .then(
                        first -> {
                          List<Candidate> some = isComplete ? first.possible() : first.rivals();
                          return isComplete || some.size() > 1
                              ? compared(param, first, some)
                              : chosen(first);
                        }));
  }

  /** The answers of the algorithms that are not excluded. */
  private Choice answers(OpParam param, Ruling ruling) {
    return pool.choose(param, key.algorithm(), rules, ruling, this::noteUnanswered)
        .with(this::withoutPassedOver);
  }

  /**
   * The choice with estimates of some candidates; the first candidate whose plan fails ends the
   * attempt.
   */
  private PlanningOutcome<Choice> compared(OpParam param, Choice first, List<Candidate> some) {
    List<Algorithm> algorithms = some.stream().map(Candidate::algorithm).toList();
    return asked(() -> rules.profile().on(param, algorithms))
        .then(
            measured -> {
              PlanningOutcome<Choice> outcome = chosen(first);
              try (Work work = Work.begin("comparing algorithms", some.size())) {
                for (Candidate each : some) {
                  outcome =
                      outcome.then(
                          choice ->
                              tried(
                                  each,
                                  PlanningPhase.COMPARING,
                                  () ->
                                      choice.with(
                                          replaced(each, comparison.estimated(measured, each)))));
                  work.step();
                }
              }
              return outcome;
            });
  }

  private static UnaryOperator<Candidate> replaced(Candidate old, Candidate by) {
    return each -> each.equals(old) ? by : each;
  }

  /** Chooses an algorithm, makes its plan, and judges the plan if its plugin is watched. */
  PlanningOutcome<SelectedPlan> plan() {
    HostEvents.Choose event = HostEvents.begin(HostEvents.Choose::new);
    return ruling()
        .then(this::choice)
        .then(
            choice ->
                chosenAs.equals(key)
                    ? asked(choice::best).then(best -> planned(best, event))
                    : plannedOfClass(choice, event));
  }

  private PlanningOutcome<SelectedPlan> plannedOfClass(
      Choice choice, HostEvents.@Nullable Choose event) {
    if (choice.isPossible()) {
      Candidate best = choice.best();
      OpParam own = view(key).withOptions(best.parameters());
      CandidatePlan clone = maker.cloneIfTaken(pool, key, best, own);
      if (clone != null) {
        HostEvents.end(event, () -> facts(best), null);
        return tried(best, PlanningPhase.JUDGING, () -> judged(best, clone));
      }
    }
    return firstToTakeIt(choice)
        .then(best -> best.isPresent() ? planned(best.get(), event) : exact().plan());
  }

  /** The best candidate of the class that accepts the call itself. */
  private PlanningOutcome<Optional<Candidate>> firstToTakeIt(Choice choice) {
    PlanningOutcome<Optional<Candidate>> outcome = chosen(Optional.empty());
    for (Candidate each : choice.possible()) {
      outcome = outcome.then(best -> best.isPresent() ? chosen(best) : ifItTakesIt(each));
    }
    return outcome;
  }

  private PlanningOutcome<Optional<Candidate>> ifItTakesIt(Candidate candidate) {
    return answer(candidate)
        .then(yes -> chosen(yes.isSupported() ? Optional.of(candidate) : Optional.empty()));
  }

  private PlanningOutcome<SelectedPlan> planned(Candidate best, HostEvents.@Nullable Choose event) {
    HostEvents.end(event, () -> facts(best), null);
    return tried(best, PlanningPhase.PLANNING, () -> planOf(best))
        .then(plan -> tried(best, PlanningPhase.JUDGING, () -> judged(best, plan)));
  }

  private RunFacts facts(Candidate best) {
    return SelectedPlan.facts(group, key, maker.params(key, key.parameters()), best.algorithm());
  }

  private SelectedPlan judged(Candidate best, CandidatePlan plan) {
    Generation generation = catalogue.generationOf(best.algorithm());
    if (generation != Generation.PERMANENT && !plan.isJudged()) {
      PlanJudge.check(plan.plan(), plan.params(), best.algorithm());
      if (plan.known() != null) {
        plan.known().judged(plan.params());
      }
    }
    generation.planned();
    return new SelectedPlan(
        key,
        plan.params(),
        best.algorithm(),
        plan.whole(),
        plan.compiled(),
        plan.cloned() == null ? MemoryUse.of(plan.whole()) : plan.cloned().use(),
        plan.packing(),
        plan.cloned(),
        generation,
        catalogue.number(),
        SelectedPlan.messageBytes(plan.params()));
  }

  private <T> PlanningOutcome<T> chosen(T value) {
    return new Chosen<>(value, answersMissing());
  }

  /** Runs work that concerns all algorithms: if it fails, none of them is the cause. */
  private <T> PlanningOutcome<T> asked(Supplier<T> work) {
    try {
      return chosen(work.get());
    } catch (TuttiException e) {
      return new Refused<>(e, answersMissing());
    }
  }

  /** Runs work that concerns one algorithm. */
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

  /** A call as seen by the rank for which an algorithm is chosen: rank 0, or the sender. */
  private OpParam view(PlanKey of) {
    int rank = of.call().isTransfer() ? of.call().root() : 0;
    return Objects.requireNonNull(maker.param(of, of.parameters(), rank), "a rank that takes part");
  }

  private Candidate withoutPassedOver(Candidate candidate) {
    TuttiException failure = passedOver.get(candidate.algorithm());
    return failure == null || !candidate.isSupported()
        ? candidate
        : candidate.rejected("its plan cannot be made: " + failure.getMessage());
  }

  /** The plan of the chosen candidate. */
  private CandidatePlan planOf(Candidate chosen) {
    CandidatePlan made = chosenAs.equals(key) ? comparison.planOf(chosen) : null;
    return maker.plan(pool, key, chosen, made);
  }
}
