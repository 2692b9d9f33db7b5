package dev.tutti.mutation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tutti.mutation.MutationScore.Count;
import dev.tutti.verifier.rule.Finding;
import dev.tutti.verifier.rule.Rule;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MutationScoreTest {

  private static void add(Tally tally, Operator operator, boolean isEquivalent, Rule... rules) {
    List<Finding> findings =
        List.of(rules).stream().map(rule -> new Finding(rule, "found")).toList();
    tally.add(operator, "plan", findings, () -> isEquivalent, () -> false, "changed");
  }

  private static Tally tally(int caught, int equivalent, int survivors) {
    Tally tally = new Tally(() -> true);
    for (int i = 0; i < caught; i++) {
      add(tally, Operator.DROP, false, Rule.DEADLOCK, Rule.RACE);
    }
    for (int i = 0; i < equivalent; i++) {
      add(tally, Operator.SWAP, true);
    }
    for (int i = 0; i < survivors; i++) {
      add(tally, Operator.SWAP, false);
    }
    return tally;
  }

  @Test
  void aMutantCountsForEveryRuleThatItBreaks() {
    MutationScore score = tally(2, 3, 1).score();

    assertThat(score.total()).isEqualTo(new Count(6, 2, 3));
    assertThat(score.counts())
        .isEqualTo(Map.of(Operator.DROP, new Count(2, 2, 0), Operator.SWAP, new Count(4, 0, 3)));
    assertThat(score.rules())
        .isEqualTo(
            Map.of(Rule.DEADLOCK, Map.of(Operator.DROP, 2L), Rule.RACE, Map.of(Operator.DROP, 2L)));
  }

  @Test
  void equivalentMutantsDoNotCount() {
    assertThat(tally(99, 900, 1).score().total().score()).isEqualTo(0.99);
    assertThat(tally(0, 5, 0).score().total().score()).isEqualTo(1);
  }

  @Test
  void warningsAndNotesCatchNothing() {
    Tally tally = new Tally(() -> true);
    add(tally, Operator.SIZE, false, Rule.COST_DIFFERS, Rule.ABOVE_LOWER_BOUND);

    assertThat(tally.score().survivors()).containsExactly("plan: changed");
  }

  @Test
  void aRuleThatReportsTheSameBehaviourIsAFalseAlarm() {
    Tally tally = new Tally(() -> true);
    add(tally, Operator.SWAP, true, Rule.RACE);
    MutationScore score = tally.score();

    assertThat(score.falseAlarms()).containsExactly("[MEM-1] of plan: changed");
    assertThatThrownBy(() -> score.requireAtLeast(0.99))
        .isInstanceOf(AssertionError.class)
        .hasMessage(
            """
            there must be no false alarms. Actual: 1 mutants, 1 caught, 0 equivalent, 0 survivors: \
            100.00 %
              false alarm [MEM-1] of plan: changed""");
  }

  @Test
  void aRuleOfFormMayReportTheSameBehaviour() {
    Tally tally = new Tally(() -> true);
    add(tally, Operator.STREAM, true, Rule.NOT_JOINED, Rule.UNDEFINED_READ);

    assertThat(tally.score().falseAlarms()).isEmpty();
    assertThat(tally.score().total()).isEqualTo(new Count(1, 1, 0));
  }

  @Test
  void aScoreBelowTheLeastIsRefusedWithTheSurvivors() {
    MutationScore score = tally(9, 0, 1).score();

    assertThat(score.requireAtLeast(0.9)).isSameAs(score);
    assertThatThrownBy(() -> score.requireAtLeast(0.99))
        .isInstanceOf(AssertionError.class)
        .hasMessage(
            """
            the score must be 0.99 or more. Actual: 10 mutants, 9 caught, 0 equivalent, 1 survivors: \
            90.00 %
              survivor plan: changed""");
  }

  @Test
  void longListsAreCut() {
    assertThat(tally(0, 0, 21).score().toString().lines())
        .hasSize(22)
        .last()
        .isEqualTo("  … and 1 more");
  }

  @Test
  void noMutantsAreNoSuccess() {
    assertThatThrownBy(() -> MutationScore.none().requireAtLeast(0))
        .isInstanceOf(AssertionError.class)
        .hasMessage("there are no mutants: nothing was checked");
  }

  @Test
  void scoresAddUp() {
    MutationScore sum = tally(2, 3, 1).score().plus(tally(5, 0, 2).score());

    assertThat(sum.counts()).isEqualTo(tally(7, 3, 3).score().counts());
    assertThat(sum.rules()).isEqualTo(tally(7, 3, 3).score().rules());
    assertThat(sum.survivors()).hasSize(3);
    assertThat(sum.plus(MutationScore.none())).isEqualTo(sum);
  }

  @Test
  void aCaughtMutantThatIsNotTriedIsNoFalseAlarm() {
    Tally tally = new Tally(() -> false);
    tally.add(
        Operator.DROP,
        "plan",
        List.of(new Finding(Rule.DEADLOCK, "stuck")),
        () -> true,
        () -> true,
        "mutant");

    assertThat(tally.score().falseAlarms()).isEmpty();
    assertThat(tally.score().total()).isEqualTo(new MutationScore.Count(1, 1, 0));
  }

  @Test
  void whatDoesWhatWasPromisedIsEquivalent() {
    Tally tally = new Tally(() -> true);
    tally.add(Operator.PEER, "plan", List.of(), () -> false, () -> true, "mutant");

    assertThat(tally.score().total()).isEqualTo(new MutationScore.Count(1, 0, 1));
  }
}
