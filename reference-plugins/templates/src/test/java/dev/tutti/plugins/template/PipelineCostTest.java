package dev.tutti.plugins.template;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.plugins.template.PipelineCost.Round;
import dev.tutti.sdk.Cost;
import dev.tutti.sdk.resource.Slice;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A chain of ranks that hand on segments of one element of 100 bytes. */
class PipelineCostTest {

  private static final int BYTES = 100;
  private static final long FITS = 1 << 15;

  private final PipelineCost all =
      new PipelineCost(PipelineCostTest::cut, rounds -> chain(4, rounds));

  private static Round cut(long count) {
    return new Round(List.of(Slice.partition(count, (int) count, BYTES)));
  }

  private static Timetable chain(int ranks, List<Round> rounds) {
    Timetable table = new Timetable(ranks, 1);
    for (Round round : rounds) {
      for (Slice segment : round.flows().getFirst()) {
        int before = -1;
        for (int rank = 0; rank < ranks - 1; rank++) {
          List<Integer> after = before < 0 ? List.of() : List.of(before);
          before =
              table.add(rank, 0, List.of(rank), rank + 1, segment.size(), segment.size(), after);
        }
      }
    }
    return table;
  }

  private static Cost ofChain(int ranks, long segments) {
    long steps = segments + ranks - 2;
    return new Cost(steps, steps * BYTES, steps * BYTES);
  }

  private static PipelineCost most(PipelineCost cost, int most) {
    return new PipelineCost(cost.cut(), cost.schedule(), most);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 2, 3, 100, FITS, 1 << 20, 1 << 24})
  void theLineGoesOnWhereTheTimetableEnds(long segments) {
    assertThat(all.of(segments, Long.MAX_VALUE))
        .contains(segments == 0 ? new Cost(0, 0, 0) : ofChain(4, segments));
  }

  @ParameterizedTest
  @ValueSource(ints = {8, 9, 64})
  void itIsTheSameFromAnyNumberOfSegments(int most) {
    assertThat(most(all, most).of(1000, 1000)).contains(ofChain(4, 1000));
  }

  @Test
  void tooFewSegmentsHaveNoLine() {
    assertThat(most(all, 7).of(1000, 1000)).isEmpty();
    assertThat(most(all, 7).of(7, 1000)).contains(ofChain(4, 7));
    int ranks = 1 << 15;
    PipelineCost wide = new PipelineCost(PipelineCostTest::cut, rounds -> chain(ranks, rounds));
    assertThat(wide.of(100, 100)).isEmpty();
  }

  @Test
  void shortRoundsFollowOneAnotherLikeSegments() {
    assertThat(all.of(1 << 20, 10)).contains(ofChain(4, 1 << 20));
    assertThat(all.of((1 << 20) + 3, 10)).contains(ofChain(4, (1 << 20) + 3));
  }

  /** Three rounds in a row: each begins when the one before has ended. */
  @Test
  void longRoundsAreTakenOneByOne() {
    long steps = 2 * ((1 << 20) + 2) + 1000 + 2;
    assertThat(all.of((2 << 20) + 1000, 1 << 20))
        .contains(new Cost(steps, steps * BYTES, steps * BYTES));
  }

  @Test
  void segmentsOfDifferentSizesAreSampledAllOver() {
    PipelineCost halves =
        new PipelineCost(
            count ->
                new Round(
                    List.of(
                        cut(count).flows().getFirst().stream()
                            .map(s -> new Slice(0, s.offset() < count * BYTES / 2 ? 300 : 100))
                            .toList())),
            rounds -> chain(2, rounds),
            16);
    assertThat(halves.of(800, 800)).contains(new Cost(800, 160_000, 160_000));
  }
}
