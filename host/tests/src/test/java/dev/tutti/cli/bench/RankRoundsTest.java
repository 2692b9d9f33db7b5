package dev.tutti.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tutti.base.idle.ManualClock;
import dev.tutti.cli.measure.Distribution;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RankRoundsTest {

  private static final long LONG = Duration.ofHours(1).toNanos();

  private final ManualClock clock = new ManualClock();

  /** Runs rounds of calls with a given duration, and returns the lengths of the rounds. */
  private List<Integer> run(RankRounds rounds, Duration call) {
    List<Integer> batches = new ArrayList<>();
    int batch = rounds.next();
    while (batch > 0) {
      batches.add(batch);
      Duration took = call.multipliedBy(batch);
      clock.advance(took);
      rounds.took(took.toNanos());
      batch = rounds.next();
    }
    return batches;
  }

  @Test
  void theWarmUpGrowsItsRoundsTo40MillisecondsAndEndsWhenTheySettle() {
    RankRounds.WarmUp rounds = new RankRounds.WarmUp(clock, LONG, 3);

    List<Integer> batches = run(rounds, Duration.ofNanos(100_000));

    assertThat(batches).containsExactly(1, 8, 64, 400, 400, 400, 400);
    assertThat(rounds.callNanos()).isCloseTo(100_000, within(1e-6));
  }

  @Test
  void theWarmUpGoesOnWhileTimesFall() {
    RankRounds.WarmUp rounds = new RankRounds.WarmUp(clock, LONG, 3);
    long nanos = 40_000_000;
    int falls = 0;
    int batch = rounds.next();
    while (batch > 0 && falls < 100) {
      rounds.took(nanos * batch);
      nanos = nanos * 9 / 10;
      falls++;
      batch = rounds.next();
    }

    assertThat(falls).isEqualTo(100);
  }

  @Test
  void theWarmUpEndsWithItsTimeButRunsOnce() {
    RankRounds.WarmUp late = new RankRounds.WarmUp(clock, 0, 3);
    assertThat(run(late, Duration.ofSeconds(2))).containsExactly(1);

    RankRounds.WarmUp rounds = new RankRounds.WarmUp(clock, Duration.ofSeconds(3).toNanos(), 99);
    assertThat(run(rounds, Duration.ofSeconds(1))).containsExactly(1, 1, 1);
  }

  @Test
  void aSampleIsTheTimeOfOneCallOfARound() {
    RankRounds.Samples samples =
        new RankRounds.Samples(clock, Duration.ofMillis(4).toNanos(), 10, 1, 100);

    assertThat(run(samples, Duration.ofNanos(100_000))).containsExactly(10, 10, 10, 10);
    Distribution micros = samples.micros();
    assertThat(micros.count()).isEqualTo(4);
    assertThat(micros.median()).isCloseTo(100, within(1e-6));
  }

  @Test
  void thereAreAtLeastAFewSamplesAndNotTooMany() {
    RankRounds.Samples late = new RankRounds.Samples(clock, 0, 1, 5, 100);
    assertThat(run(late, Duration.ofMillis(1))).hasSize(5);

    RankRounds.Samples endless = new RankRounds.Samples(clock, LONG, 1, 5, 100);
    assertThat(run(endless, Duration.ofNanos(1))).hasSize(100);
  }
}
