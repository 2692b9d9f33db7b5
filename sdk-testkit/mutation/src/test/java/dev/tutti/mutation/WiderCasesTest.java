package dev.tutti.mutation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.mutation.Condition.Axis;
import dev.tutti.samples.Algorithms;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.Operation;
import dev.tutti.verifier.matrix.CollectiveCase;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class WiderCasesTest {

  private static final CollExecutorBase<?> EXECUTOR = new Algorithms.RingAllGather();

  private static final WiderCases CASES = new WiderCases(Operation.ALL_GATHER, EXECUTOR);

  private static final Map<Axis, List<Condition>> CONDITIONS =
      Conditions.of(Operation.ALL_GATHER, EXECUTOR);

  private static Condition condition(String text) {
    return CONDITIONS.values().stream()
        .flatMap(List::stream)
        .filter(condition -> condition.text().equals(text))
        .findFirst()
        .orElseThrow();
  }

  private static List<CollectiveCase> meeting(String... conditions) {
    List<Condition> all = List.of(conditions).stream().map(WiderCasesTest::condition).toList();
    return CASES.meeting(all, 10, c -> true, new Random(1));
  }

  /** So no condition is useless. */
  @Test
  void eachConditionHoldsSomewhere() {
    CONDITIONS
        .values()
        .forEach(
            conditions ->
                conditions.forEach(
                    condition ->
                        assertThat(meeting(condition.text()))
                            .as(condition.text())
                            .hasSize(10)
                            .allMatch(condition::holdsIn)));
  }

  @Test
  void conditionsThatFitTogetherAreMetAtOnce() {
    assertThat(meeting("7 ranks", "type int16", "three rounds or more"))
        .isNotEmpty()
        .allSatisfy(
            c -> assertThat(c.token()).contains("ranks=7;", "type=int16;", "mode=op-base;"));
  }

  @Test
  void conditionsThatExcludeOneAnotherAreNeverMet() {
    assertThat(meeting("mode graph", "several rounds")).isEmpty();
    assertThat(meeting("1 rank", "count not a multiple of the number of ranks")).isEmpty();
    assertThat(meeting("count 1", "16 ranks", "several rounds")).isEmpty();
  }

  @Test
  void noCaseIsTakenThatTheAlgorithmRefuses() {
    List<CollectiveCase> cases =
        CASES.meeting(
            List.of(condition("more than 8 ranks")),
            10,
            c -> c.comm().rankSize() == 13,
            new Random(1));

    assertThat(cases).hasSize(10).allMatch(c -> c.comm().rankSize() == 13);
    assertThat(CASES.meeting(List.of(), 10, c -> false, new Random(1))).isEmpty();
  }
}
