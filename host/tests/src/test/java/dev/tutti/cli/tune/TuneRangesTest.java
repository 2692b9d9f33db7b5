package dev.tutti.cli.tune;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.cli.TestAlgorithms;
import dev.tutti.host.Context;
import dev.tutti.host.Group;
import dev.tutti.host.pool.Candidate;
import dev.tutti.host.pool.Estimate;
import dev.tutti.host.pool.rules.Profile;
import dev.tutti.sdk.AlgOptions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class TuneRangesTest {

  private static Candidate a;
  private static Candidate b;
  private static Candidate c;

  @BeforeAll
  static void findACandidate() {
    SweepPoint cell = SweepPointSamples.allReduce(8);
    try (Context context = TestAlgorithms.addTo(Context.builder()).open();
        Group group = context.createGroup(cell.topology())) {
      Candidate best = cell.spec().request(group).explain().best();
      a = best.withParameters(AlgOptions.none().with("x", "a"));
      b = best.withParameters(AlgOptions.none().with("x", "b"));
      c = best.withParameters(AlgOptions.none().with("x", "c"));
    }
  }

  private static TuneResult.Time time(Candidate candidate, double ratio, double low) {
    return new TuneResult.Time(candidate, 10 * ratio, new Ratio(ratio, low, 2 * ratio, 3));
  }

  private static TuneResult.Time tied(Candidate candidate) {
    return time(candidate, 1.05, 0.9);
  }

  private static TuneResult result(long bytes, Candidate fastest, TuneResult.Time... others) {
    return inState(57, bytes, fastest, others);
  }

  private static TuneResult inState(
      int hopNanos, long bytes, Candidate fastest, TuneResult.Time... others) {
    return new TuneResult(
        SweepPointSamples.allReduce(bytes),
        hopNanos,
        Stream.concat(Stream.of(time(fastest, 1, 1)), Stream.of(others)).toList(),
        fastest);
  }

  private static List<Candidate> preferred(TuneResult... results) {
    TuneRanges ranges = TuneRanges.of(List.of(results));
    return Stream.of(results).map(ranges::preferred).toList();
  }

  @Test
  void whatCannotBeToldApartIsAsItsNeighboursAre() {
    assertThat(preferred(result(8, b), result(64, a, tied(b)), result(512, b)))
        .containsExactly(b, b, b);
    assertThat(preferred(result(512, b), result(8, b), result(64, a, tied(b))))
        .containsExactly(b, b, b);
  }

  @Test
  void whatIsSlowerBeyondDoubtIsNotTaken() {
    assertThat(preferred(result(8, b), result(64, a, time(b, 1.05, 1.01)), result(512, b)))
        .containsExactly(b, a, b);
    assertThat(preferred(result(8, b), result(64, a, time(b, 1.3, 0.8)))).containsExactly(b, a);
    assertThat(preferred(result(8, b), result(64, a, time(b, 1.01, 1.01)))).containsExactly(b, b);
  }

  @Test
  void aTieOfAWholeRangeGoesByTheTotalOrder() {
    assertThat(preferred(result(8, c, tied(b)), result(64, b, tied(a), tied(c))))
        .containsExactly(b, b);
  }

  private static Candidate planned(Candidate candidate, double seconds) {
    return candidate.withEstimate(Estimate.planned(seconds, 1, 1, 1));
  }

  @Test
  void theBorderOfTwoRangesIsWhereThePlansSaySo() {
    Candidate slow = planned(a, 1.05);
    Candidate fast = planned(b, 1);
    assertThat(preferred(result(8, a), result(64, slow, tied(fast)), result(512, b)))
        .containsExactly(a, fast, b);
    assertThat(preferred(result(8, a), result(64, fast, tied(slow)), result(512, a)))
        .containsExactly(a, slow, a);
  }

  @Test
  void aChangeThatIsWorthItIsMade() {
    Candidate slow = planned(a, 1.3);
    Candidate fast = planned(b, 1);
    assertThat(preferred(result(8, a), result(64, slow, tied(fast)), result(512, a)))
        .containsExactly(a, fast, a);
    assertThat(preferred(result(8, c), result(64, a, tied(fast)))).containsExactly(c, fast);
  }

  @Test
  void whoIsAsGoodInEveryStateIsTaken() {
    assertThat(preferred(result(8, a, tied(b)), inState(263, 8, b, tied(c)))).containsExactly(b, b);
    assertThat(preferred(result(8, a, tied(b), time(c, 1.2, 1.1)), inState(263, 8, c, tied(b))))
        .containsExactly(b, b);
  }

  @Test
  void ifNobodyIsGoodInEveryStateTheLeastLossIsTaken() {
    assertThat(
            preferred(
                result(8, a, time(b, 1.2, 1.1), time(c, 1.5, 1.4)),
                inState(263, 8, c, time(b, 1.25, 1.2), time(a, 1.4, 1.3))))
        .containsExactly(b, b);
  }

  @Test
  void aStateDecidesOnlyForItself() {
    Profile profile =
        TuneProfile.of(
            List.of(
                result(8, a, time(b, 1.2, 1.1)), inState(263, 8, b, tied(c), time(a, 1.5, 1.4))));
    assertThat(profile.hops()).containsExactly(57, 263);
    assertThat(profile.series())
        .filteredOn(series -> series.parameters().equals(b.parameters()))
        .extracting(series -> series.hopNanos() + " ns: " + series.micros())
        .containsExactly("57 ns: {8=12.0}", "263 ns: {8=10.0}");
  }

  @Test
  void theFileSaysThatThePreferredOneIsTheFastest() {
    Profile profile =
        TuneProfile.of(List.of(result(8, b), result(64, a, tied(b), time(c, 1.3, 1.2))));
    assertThat(profile.series())
        .allSatisfy(
            series -> {
              double micros = series.micros().get(64L);
              switch (series.parameters().values().get("x")) {
                case "a" -> assertThat(micros).isEqualTo(10.0001);
                case "b" -> assertThat(micros).isEqualTo(10);
                default -> assertThat(micros).isEqualTo(13);
              }
            })
        .hasSize(3);
  }
}
