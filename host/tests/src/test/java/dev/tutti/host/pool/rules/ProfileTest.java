package dev.tutti.host.pool.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.Operation;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

final class ProfileTest {

  private static Series series(String algorithm, int hopNanos, Map<Long, Double> micros) {
    return new Series(
        Operation.REDUCE,
        2,
        false,
        algorithm,
        "1",
        AlgOptions.none(),
        hopNanos,
        new TreeMap<>(micros));
  }

  private static Profile profile(Series... series) {
    return new Profile(List.of(series));
  }

  @Test
  void whatIsMeasuredAgainIsReplacedAndTheRestKept() {
    Profile older =
        profile(
            series("p:a", 57, Map.of(8L, 1.0, 64L, 2.0)),
            series("p:a", 263, Map.of(8L, 3.0)),
            series("p:gone", 57, Map.of(8L, 0.1)));
    Profile newer = profile(series("p:a", 57, Map.of(8L, 1.5)));
    assertThat(newer.orElse(older).series())
        .containsExactly(
            series("p:a", 57, Map.of(8L, 1.5)),
            series("p:a", 57, Map.of(64L, 2.0)),
            series("p:a", 263, Map.of(8L, 3.0)));
  }

  @Test
  void whatHasNoStateGivesWayToWhatHasOne() {
    Profile older = profile(series("p:a", 0, Map.of(8L, 1.0, 64L, 2.0)));
    assertThat(profile(series("p:b", 57, Map.of(8L, 1.5))).orElse(older).series())
        .containsExactly(series("p:b", 57, Map.of(8L, 1.5)), series("p:a", 0, Map.of(64L, 2.0)));
  }

  @Test
  void measurementsOfOtherVersionsAreLeftOut() {
    Profile profile =
        profile(series("p:a", 57, Map.of(8L, 1.0)), series("q:a", 57, Map.of(8L, 1.0)));
    assertThat(profile.onlyOf(Map.of("p", "2")).series())
        .extracting(Series::algorithm)
        .containsExactly("q:a");
    assertThat(profile.onlyOf(Map.of("p", "1"))).isEqualTo(profile);
  }

  @Test
  void statesAndRequestsAreCounted() {
    Profile profile =
        profile(
            series("p:a", 263, Map.of(8L, 1.0)),
            series("p:a", 57, Map.of(8L, 1.0, 64L, 2.0)),
            series("p:b", 57, Map.of(8L, 1.0, 512L, 2.0)));
    assertThat(profile.hops()).containsExactly(57, 263);
    assertThat(profile.requestCount(57)).isEqualTo(3);
    assertThat(profile.requestCount(263)).isEqualTo(1);
  }
}
