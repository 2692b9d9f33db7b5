package dev.tutti.plugins.tree;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.plugins.tree.TwoTreeStep.Hop;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TwoTreeScheduleTest {

  private static final int MOST_PLACES = 130;

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void noPlaceSendsTwoSegmentsAtOnceOrGetsTwo(boolean isUp) {
    for (int size = 1; size <= MOST_PLACES; size++) {
      TwoTreeSchedule schedule = new TwoTreeSchedule(size);
      for (int place = 0; place < size; place++) {
        assertThat(TwoTreeStep.of(schedule, place, List.of(4, 4), isUp))
            .as("place %d of %d", place, size)
            .allMatch(step -> step.sent().size() <= 1 && step.received().size() <= 1);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aPlaceHasASegmentBeforeItHandsItOn(boolean isUp) {
    for (int size = 2; size <= MOST_PLACES; size++) {
      TwoTreeSchedule schedule = new TwoTreeSchedule(size);
      for (int place = 1; place < size; place++) {
        for (int tree = 0; tree < TwoTreeSchedule.TREES; tree++) {
          int own = schedule.start(tree, place, isUp);
          for (int child : schedule.tree(tree).children(place)) {
            int below = schedule.start(tree, child, isUp);
            assertThat(isUp ? own - below : below - own).isBetween(1, 2);
          }
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 4, 7, 8, 15, 16, 33, 64, 130, 1024})
  void allHaveASegmentOfEachTreeBeforeTwiceTheDepth(int size) {
    TwoTreeSchedule schedule = new TwoTreeSchedule(size);
    assertThat(schedule.last()).isLessThan(2 * schedule.tree(0).depth());
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void bothEndsOfAMessageAreInTheSameStep(boolean isUp) {
    TwoTreeSchedule schedule = new TwoTreeSchedule(3);
    List<TwoTreeStep> top = TwoTreeStep.of(schedule, 0, List.of(1, 1), isUp);
    Hop first = new Hop(isUp ? 1 : 0, 0, isUp ? 1 : 2);
    assertThat(isUp ? top.getFirst().received() : top.getFirst().sent()).containsExactly(first);
    assertThat(top).hasSize(2);
  }
}
