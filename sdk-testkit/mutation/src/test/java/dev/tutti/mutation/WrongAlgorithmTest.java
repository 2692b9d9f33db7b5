package dev.tutti.mutation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.plan.RankPlan;
import dev.tutti.samples.Algorithms;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.Operation;
import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.WorkflowMode;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.verifier.matrix.CollectiveCase;
import dev.tutti.verifier.rule.Rule;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A wrong ring all-gather of three ranks in three rounds of OP_BASE. */
class WrongAlgorithmTest {

  private static final List<CollExecutorBase<?>> EXECUTORS =
      List.of(new Algorithms.RingAllGather());

  private static final CollectiveCase CASE =
      CollectiveCase.of(Operation.ALL_GATHER, Topology.flat(3))
          .withMode(WorkflowMode.OP_BASE)
          .withProtocol(Protocol.DIRECT)
          .withCclBufferSize(1024)
          .withCount(161);

  private static final Site ANYWHERE =
      new Site(Site.Ranks.FIRST, Site.Round.ANY, Site.Place.MIDDLE);

  private static Situation situation() {
    return new Situation(CASE, EXECUTORS);
  }

  private static WrongPlan wrong(Mistake mistake, Site site) {
    return Objects.requireNonNull(
        new WrongAlgorithm(List.of(), mistake, site).plan(situation(), EXECUTORS));
  }

  private static Set<Rule> broken(Mistake mistake, Site site) {
    return Tally.errors(situation().judge(wrong(mistake, site).plan()));
  }

  /** The changed actions of the original, by their rounds. */
  private static List<Integer> changedRounds(Mistake mistake, Site site) {
    Situation situation = situation();
    RankPlan right = situation.plan().rank(0);
    RankPlan wrong = wrong(mistake, site).plan().rank(0);
    List<Integer> rounds = new ArrayList<>();
    int[] ofActions = situation.rounds(right);
    for (int action = 0; action < right.actionCount(); action++) {
      if (!right.describe(action).equals(wrong.describe(action))) {
        rounds.add(ofActions[action]);
      }
    }
    return rounds;
  }

  @Test
  void theActionsOfEachRoundAreToldApart() {
    Situation situation = situation();
    int[] rounds = situation.rounds(situation.plan().rank(1));

    assertThat(rounds).isSorted().contains(0, 1, 2).doesNotContain(3).startsWith(0).endsWith(2);
    assertThat(
            new Situation(CASE.withMode(WorkflowMode.GRAPH), EXECUTORS)
                .rounds(situation.plan().rank(1)))
        .containsOnly(0);
  }

  /** Except for a forgotten or an early signal: this ring has more signals than it needs. */
  @Test
  void everyMistakeThatFitsBreaksARule() {
    Set<Mistake> harmless = EnumSet.of(Mistake.MISSING_SIGNAL, Mistake.EARLY_POST);
    Set<Mistake> unfit =
        EnumSet.of(
            Mistake.COPIED_NOT_REDUCED,
            Mistake.REDUCED_NOT_COPIED,
            Mistake.WRONG_ROOT,
            Mistake.WRONG_REDUCTION,
            Mistake.WRONG_TYPE);
    for (Mistake mistake : Mistake.values()) {
      if (unfit.contains(mistake) || harmless.contains(mistake)) {
        continue;
      }
      assertThat(Site.Place.values())
          .as(mistake.label())
          .anyMatch(
              place -> !broken(mistake, new Site(Site.Ranks.ALL, Site.Round.ANY, place)).isEmpty());
    }
    for (Mistake mistake : unfit) {
      assertThat(new WrongAlgorithm(List.of(), mistake, ANYWHERE).plan(situation(), EXECUTORS))
          .as(mistake.label())
          .isNull();
    }
  }

  @Test
  void aMistakeCanBeMadeInOneRoundOnly() {
    assertThat(changedRounds(Mistake.SHIFTED_OFFSET, ANYWHERE.in(Site.Round.SECOND)))
        .containsExactly(1);
    assertThat(changedRounds(Mistake.SHIFTED_OFFSET, ANYWHERE.in(Site.Round.LAST)))
        .containsExactly(2);
  }

  @Test
  void staleStagingLeavesOneRoundWithTheDataOfTheOneBefore() {
    assertThat(broken(Mistake.STALE_STAGING, ANYWHERE.in(Site.Round.SECOND)))
        .containsExactly(Rule.WRONG_CONTENTS);
  }

  @Test
  void aForgottenSignalIsForgottenAtBothEnds() {
    Situation situation = situation();
    Site first = new Site(Site.Ranks.FIRST, Site.Round.ANY, Site.Place.FIRST);
    WrongPlan wrong = wrong(Mistake.MISSING_SIGNAL, first);

    assertThat(wrong.plan().actionCount()).isEqualTo(situation.plan().actionCount() - 2);
    assertThat(Tally.errors(situation.judge(wrong.plan())))
        .doesNotContain(Rule.DEADLOCK, Rule.LOST_NOTIFY, Rule.LEFT_OVER_NOTIFY);
  }

  @Test
  void whatWasPlannedForFewerElementsLeavesTheLastOnesOut() {
    assertThat(broken(Mistake.SHORT_COUNT, ANYWHERE)).contains(Rule.WRONG_CONTENTS);
    assertThat(wrong(Mistake.SHORT_COUNT, ANYWHERE).hasOrigins()).isFalse();
    assertThat(broken(Mistake.LONG_COUNT, ANYWHERE)).contains(Rule.BOUNDS);
  }

  @Test
  void aWrongAlgorithmSaysWhatIsWrongWhereAndWhen() {
    Condition seven =
        Conditions.of(Operation.ALL_GATHER, EXECUTORS.getFirst()).values().stream()
            .flatMap(List::stream)
            .filter(condition -> condition.text().equals("7 ranks"))
            .findFirst()
            .orElseThrow();

    assertThat(new WrongAlgorithm(List.of(seven), Mistake.MISSING_AWAIT, ANYWHERE))
        .hasToString("missing-await on first, round any, place middle when 7 ranks");
    assertThat(new WrongAlgorithm(List.of(), Mistake.WRONG_TAIL, ANYWHERE))
        .hasToString("wrong-tail when always");
  }
}
