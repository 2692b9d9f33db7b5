package dev.tutti.cli.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class MeasurementRoundsTest {

  private final List<String> log = new ArrayList<>();
  private long now;

  /** Rounds of subjects with the given durations in nanoseconds, by a separate clock. */
  private MeasurementRounds rounds(long... nanos) {
    List<Runnable> things = new ArrayList<>();
    for (int i = 0; i < nanos.length; i++) {
      String name = "abc".substring(i, i + 1);
      long takes = nanos[i];
      things.add(
          () -> {
            log.add(name);
            now += takes;
          });
    }
    return new MeasurementRounds(things, () -> now);
  }

  @Test
  void eachRoundHasAnotherOrderAndARunThatDoesNotCount() {
    List<double[]> times = rounds(10, 20, 30).run(round -> round < 4);
    assertThat(String.join("", log)).isEqualTo("aabbcc" + "ccbbaa" + "bbccaa" + "aaccbb");
    assertThat(times)
        .containsExactly(
            new double[] {10, 10, 10, 10},
            new double[] {20, 20, 20, 20},
            new double[] {30, 30, 30, 30});
  }

  @Test
  void theWarmUpRunsEachForATimeButTwiceAtLeast() {
    rounds(600, 2500).warmUp(Duration.ofNanos(2000));
    assertThat(String.join("", log)).isEqualTo("aaaabb");
  }

  @Test
  void aBatchIsLongEnoughForTheClock() {
    MeasurementRounds rounds = rounds(500_000, 2_000_000);
    rounds.warmUp(Duration.ZERO);
    log.clear();
    List<double[]> times = rounds.run(round -> round < 1);
    assertThat(String.join("", log)).isEqualTo("aaaa" + "bb");
    assertThat(times).containsExactly(new double[] {500_000}, new double[] {2_000_000});
  }

  @Test
  void nothingToMeasureGivesNothing() {
    MeasurementRounds rounds = rounds();
    rounds.warmUp(Duration.ZERO);
    assertThat(rounds.run(round -> round < 3)).isEmpty();
  }
}
