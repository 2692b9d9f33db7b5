package dev.tutti.plugins.doubling;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.sdk.resource.Slice;
import java.util.List;
import org.junit.jupiter.api.Test;

class PartnersTest {

  @Test
  void aPowerOfTwoNeedsNoFold() {
    assertThat(Partners.of(5, 8))
        .isEqualTo(new Partners(5, Partners.NONE, false, List.of(4, 7, 1)));
  }

  @Test
  void ofSixRanksTwoSitOut() {
    assertThat(Partners.of(0, 6)).isEqualTo(new Partners(0, 1, true, List.of()));
    assertThat(Partners.of(3, 6)).isEqualTo(new Partners(1, 2, false, List.of(1, 5)));
    assertThat(Partners.of(4, 6)).isEqualTo(new Partners(2, Partners.NONE, false, List.of(5, 1)));
  }

  @Test
  void aPlaceHasTheSlicesOfBothRanksOfAFold() {
    assertThat(Partners.ofPlaces(Slice.partition(5, 5, 4)))
        .containsExactly(new Slice(0, 8), new Slice(8, 4), new Slice(12, 4), new Slice(16, 4));
  }
}
