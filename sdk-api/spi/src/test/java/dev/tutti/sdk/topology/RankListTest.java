package dev.tutti.sdk.topology;

import static dev.tutti.sdk.Refusal.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.sdk.ErrorCode;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RankListTest {

  private static int[] ranks(RankList list) {
    return IntStream.range(0, list.size()).map(list::rank).toArray();
  }

  @Test
  void aRangeHoldsTheRanksFromZero() {
    assertThat(ranks(RankList.range(4))).containsExactly(0, 1, 2, 3);
  }

  @Test
  void spacedRanksAreEquallyFarApart() {
    assertThat(ranks(RankList.spaced(3, 8, 3))).containsExactly(3, 11, 19);
  }

  @Test
  void anyOrderIsKept() {
    assertThat(ranks(RankList.of(5, 2, 9))).containsExactly(5, 2, 9);
    assertThat(ranks(RankList.of(3, 2, 1))).containsExactly(3, 2, 1);
  }

  @Test
  void everyMemberIsFoundAtItsPositionAndNobodyElseIs() {
    for (RankList list :
        new RankList[] {
          RankList.range(7), RankList.spaced(2, 3, 5), RankList.of(8, 1, 4), RankList.of(6)
        }) {
      for (int rank = -3; rank < 30; rank++) {
        int position = list.indexOf(rank);
        assertThat(position >= 0 && list.rank(position) == rank).isEqualTo(list.contains(rank));
        int wanted = rank;
        assertThat(list.contains(rank))
            .isEqualTo(IntStream.of(ranks(list)).anyMatch(r -> r == wanted));
      }
    }
  }

  @Test
  void equalRanksInEqualOrderAreEqualHoweverTheyAreGiven() {
    assertThat(RankList.of(0, 1, 2))
        .isEqualTo(RankList.range(3))
        .hasSameHashCodeAs(RankList.range(3));
    assertThat(RankList.of(1, 4, 7)).isEqualTo(RankList.spaced(1, 3, 3));
    assertThat(RankList.of(5)).isEqualTo(RankList.spaced(5, 8, 1));
    assertThat(RankList.of(2, 1)).isEqualTo(RankList.of(2, 1)).isNotEqualTo(RankList.of(1, 2));
  }

  @Test
  void longListsAreCutInText() {
    assertThat(RankList.of(2, 1)).hasToString("[2, 1]");
    assertThat(RankList.range(100))
        .hasToString("[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, … 100 ranks]");
  }

  @ParameterizedTest
  @CsvSource({"-1, 1, 1", "0, 0, 1", "0, 1, 0"})
  void badSpacingIsRefused(int first, int step, int size) {
    assertRefused(
        () -> RankList.spaced(first, step, size),
        ErrorCode.INVALID_RANK,
        "ranks need first >= 0, step >= 1 and size >= 1. Actual: first=%d, step=%d, size=%d"
            .formatted(first, step, size));
  }

  @Test
  void spacingBeyondTheLargestRankIsRefused() {
    assertThat(RankList.spaced(Integer.MAX_VALUE, 1, 1).rank(0)).isEqualTo(Integer.MAX_VALUE);
    assertRefused(
        () -> RankList.spaced(0, 1 << 30, 3),
        ErrorCode.INVALID_RANK,
        "the last rank must fit in 31 bits. Actual: first=0, step=1073741824, size=3");
  }

  @Test
  void noRankAtAllIsRefused() {
    assertRefused(() -> RankList.of(), ErrorCode.INVALID_RANK, "a list of ranks must not be empty");
  }

  @Test
  void negativeRanksAndRanksThatComeTwiceAreRefused() {
    assertRefused(
        () -> RankList.of(3, 1, 3),
        ErrorCode.INVALID_RANK,
        "ranks must be 0 or more and all different. Actual: [3, 1, 3]");
    assertRefused(
        () -> RankList.of(0, -1),
        ErrorCode.INVALID_RANK,
        "ranks must be 0 or more and all different. Actual: [0, -1]");
  }

  @ParameterizedTest
  @CsvSource({"-1", "3"})
  void aPositionOutsideTheListIsRefused(int position) {
    assertRefused(
        () -> RankList.range(3).rank(position),
        ErrorCode.INVALID_RANK,
        "sub-communicator rank must be 0 to 2. Actual: " + position);
  }
}
