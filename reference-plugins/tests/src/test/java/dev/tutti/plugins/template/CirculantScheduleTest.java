package dev.tutti.plugins.template;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class CirculantScheduleTest {

  @Test
  void bruckDoublesTheBlocks() {
    assertThat(CirculantSchedule.bruck(6, 2).steps())
        .containsExactly(
            new CirculantStep(1, 0, 1, 1),
            new CirculantStep(2, 0, 2, 2),
            new CirculantStep(4, 0, 4, 2));
  }

  @Test
  void bruckWithRadixThreeTakesTwoMessagesEachRound() {
    assertThat(CirculantSchedule.bruck(6, 3).steps())
        .containsExactly(
            new CirculantStep(1, 0, 1, 1),
            new CirculantStep(2, 0, 2, 1),
            new CirculantStep(3, 0, 3, 3));
  }

  @Test
  void halvingRoundsUp() {
    assertThat(CirculantSchedule.halving(7).steps())
        .containsExactly(
            new CirculantStep(1, 0, 1, 1),
            new CirculantStep(2, 0, 2, 2),
            new CirculantStep(4, 0, 4, 3));
  }

  @Test
  void theNonUniformRingKeepsTheFarthestBlockLast() {
    CirculantSchedule schedule = CirculantSchedule.nonUniform(5);

    assertThat(schedule.numbers()).containsExactly(2, 4, 3, 0, 1);
    assertThat(schedule.steps())
        .containsExactly(
            new CirculantStep(1, 3, 4, 1),
            new CirculantStep(3, 3, 2, 1),
            new CirculantStep(4, 2, 0, 2));
  }

  @Test
  void allTakeAsFewStepsAsThereAreForEveryNumberOfRanks() {
    for (int ranks = 1; ranks <= 300; ranks++) {
      for (CirculantSchedule schedule :
          new CirculantSchedule[] {
            CirculantSchedule.bruck(ranks, 2),
            CirculantSchedule.halving(ranks),
            CirculantSchedule.nonUniform(ranks)
          }) {
        assertThat(schedule.steps()).hasSize(32 - Integer.numberOfLeadingZeros(ranks - 1));
        assertThat(gathered(schedule)).hasSize(ranks);
      }
    }
  }

  /** Plays the steps for one rank; every other one does the same. */
  private static Set<Integer> gathered(CirculantSchedule schedule) {
    int ranks = schedule.numbers().size();
    Set<Integer> held = new HashSet<>(Set.of(0));
    for (CirculantStep step : schedule.steps()) {
      Set<Integer> received = new HashSet<>();
      for (int i = 0; i < step.blocks(); i++) {
        int sent = schedule.numbers().get(step.from() + i);
        assertThat(held).contains(sent);
        assertThat(schedule.numbers().get(step.to() + i))
            .isEqualTo((sent + step.distance()) % ranks);
        received.add(schedule.numbers().get(step.to() + i));
      }
      assertThat(held).doesNotContainAnyElementsOf(received);
      held.addAll(received);
    }
    assertThat(IntStream.range(0, ranks)).allMatch(held::contains);
    return held;
  }
}
