package dev.tutti.cli.tune;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class HopStatesTest {

  private static List<Integer> states(List<Integer> known, double... probed) {
    var next = DoubleStream.of(probed).iterator();
    HopStates states = new HopStates(known, next::nextDouble);
    return DoubleStream.of(probed).mapToObj(each -> states.now()).toList();
  }

  @Test
  void nearlyEqualTimesAreOneState() {
    assertThat(states(List.of(), 57.4, 263, 49, 90, 281, 25, 160))
        .containsExactly(57, 263, 57, 57, 263, 25, 263);
  }

  @Test
  void statesThatWereSeenBeforeKeepTheirNames() {
    assertThat(states(List.of(0, 50, 250), 61, 279, 25)).containsExactly(50, 250, 25);
  }

  @Test
  void whatCannotBeMeasuredIsTheStateBefore() {
    assertThat(states(List.of(60), Double.NaN, 57, Double.NaN, 260, Double.NaN))
        .containsExactly(0, 60, 60, 260, 260);
  }

  @Test
  void aBusyMachineMakesNoEndlessNumberOfStates() {
    assertThat(states(List.of(), 1e2, 1e3, 1e4, 1e5, 1e6, 1, 0))
        .containsExactly(100, 1000, 10_000, 100_000, 100_000, 100, 100);
  }
}
