package dev.tutti.cli.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

final class DistributionTest {

  @Test
  void aQuantileIsOneOfTheValues() {
    double[] values = {5, 1, 4, 2, 3, 6, 8, 7};

    Distribution distribution = Distribution.of(values);

    assertThat(distribution.median()).isEqualTo(5);
    assertThat(distribution.quantile(0.25)).isEqualTo(3);
    assertThat(distribution.quantile(0.75)).isEqualTo(7);
    assertThat(distribution.mean()).isEqualTo(4.5);
    assertThat(distribution.least()).isEqualTo(1);
    assertThat(distribution.largest()).isEqualTo(8);
    assertThat(distribution.at(1)).isEqualTo(2);
    assertThat(values).containsExactly(5, 1, 4, 2, 3, 6, 8, 7);
  }

  @Test
  void quantilesComeFromSortedValues() {
    Distribution distribution = Distribution.of(DoubleStream.iterate(99, i -> i - 1).limit(100));

    assertThat(distribution.count()).isEqualTo(100);
    assertThat(distribution.least()).isZero();
    assertThat(distribution.median()).isEqualTo(50);
    assertThat(distribution.quantile(0.95)).isEqualTo(95);
  }

  @Test
  void onlySoManyValuesCount() {
    double[] values = {3, 1, 2, 0, 0};

    Distribution distribution = Distribution.of(3, i -> values[i]);

    assertThat(distribution.count()).isEqualTo(3);
    assertThat(distribution.least()).isEqualTo(1);
    assertThat(distribution.median()).isEqualTo(2);
    assertThat(distribution.quantile(0.95)).isEqualTo(3);
  }

  /** The ranks of a textbook: for 100 values, the 40th and the 61st. */
  @Test
  void theErrorOfTheMedianComesFromTheOrderOfTheValues() {
    Distribution hundred = Distribution.of(100, i -> 101 + i);

    assertThat(hundred.medianError()).isEqualTo((151.0 - 140) / 151);
    assertThat(hundred.isVague()).isFalse();
    assertThat(Distribution.of(10, 20, 30, 40, 50, 60).medianError()).isEqualTo(0.75);
    assertThat(Distribution.of(1, 1, 1, 1, 1).medianError()).isInfinite();
    assertThat(Distribution.of(1, 1, 1, 1, 1).isVague()).isTrue();
    assertThat(Distribution.of(100, i -> i % 2 == 0 ? 10 : 13).isVague()).isTrue();
    assertThat(Distribution.of(1, 1, 1, 1, 1, 1).isVague()).isFalse();
  }

  @Test
  void oneValueIsEveryQuantile() {
    Distribution distribution = Distribution.of(1.5);

    assertThat(distribution.least()).isEqualTo(1.5);
    assertThat(distribution.median()).isEqualTo(1.5);
    assertThat(distribution.quantile(0.95)).isEqualTo(1.5);
  }
}
