package dev.tutti.cli.tune;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

class RatioTest {

  private static Ratio of(double... ratios) {
    return Ratio.of(ratios);
  }

  @Test
  void theRangeOfFewMeasurementsHoldsAllOfThem() {
    assertThat(of(1.3, 1.1, 1.2, 1.0, 1.4)).isEqualTo(new Ratio(1.2, 1.0, 1.4, 5));
    assertThat(of(2)).isEqualTo(new Ratio(2, 2, 2, 1));
  }

  @Test
  void theRangeOfManyLeavesTheOutermostOut() {
    assertThat(of(9, 1, 1, 1, 1, 1, 1, 0.1)).isEqualTo(new Ratio(1, 1, 1, 8));
    assertThat(of(9, 1, 1, 1, 1, 1, 0.1).high()).isEqualTo(9);
  }

  @Test
  void fewMeasurementsDecideNothing() {
    assertThat(of(1, 1, 1, 1).isAtMost(1.1)).isFalse();
    assertThat(of(1, 1, 1, 1, 1).isAtMost(1.1)).isTrue();
    assertThat(of(2, 2, 2, 2).isMoreThan(1.1)).isFalse();
    assertThat(of(2, 2, 2, 2, 2).isMoreThan(1.1)).isTrue();
  }

  @Test
  void aRangeThatHoldsTheLimitDecidesNothing() {
    Ratio ratio = of(1.0, 1.05, 1.1, 1.15, 1.2);
    assertThat(ratio.isAtMost(1.1)).isFalse();
    assertThat(ratio.isMoreThan(1.1)).isFalse();
    assertThat(ratio.isAtMost(1.2)).isTrue();
    assertThat(ratio.isMoreThan(0.9)).isTrue();
    assertThat(ratio).hasToString("1.00–1.20");
    assertThat(of(0.5, 1, 1.1).spread()).isEqualTo(2);
  }

  @Test
  void aChoiceIsWithinTheLimitBeyondItOrOpen() {
    Ratio ratio = of(1.2, 1.25, 1.3, 1.35, 1.4);
    assertThat(CompareResult.Verdict.of(ratio, 1.5)).hasToString("WITHIN");
    assertThat(CompareResult.Verdict.of(ratio, 1.3)).hasToString("OPEN");
    assertThat(CompareResult.Verdict.of(ratio, 1.1)).hasToString("BEYOND");
    assertThat(CompareResult.Verdict.of(of(1.2, 1.3), 1.1)).hasToString("OPEN");
  }

  @Test
  void theRangeHoldsTheTrueMedianInNineOfTenCases() {
    Random random = new Random(11);
    for (int count : new int[] {5, 8, 13, 40}) {
      int held = 0;
      for (int i = 0; i < 2000; i++) {
        Ratio ratio = Ratio.of(random.doubles(count).toArray());
        held += ratio.low() <= 0.5 && 0.5 <= ratio.high() ? 1 : 0;
      }
      assertThat(held).as("of %d", count).isBetween(1780, 1999);
    }
  }
}
