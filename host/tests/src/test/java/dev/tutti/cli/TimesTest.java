package dev.tutti.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class TimesTest {

  @Test
  void percentilesComeFromSortedSamples() {
    long[] samples = LongStream.range(0, 100).map(i -> (99 - i) * 1000).toArray();

    Times times = new Times(samples, samples.length);

    assertThat(times.count()).isEqualTo(100);
    assertThat(times.minMicros()).isZero();
    assertThat(times.medianMicros()).isEqualTo(50);
    assertThat(times.p95Micros()).isEqualTo(95);
  }

  @Test
  void onlyTheFirstSamplesCount() {
    Times times = new Times(new long[] {3000, 1000, 2000, 0, 0}, 3);

    assertThat(times.count()).isEqualTo(3);
    assertThat(times.minMicros()).isEqualTo(1);
    assertThat(times.medianMicros()).isEqualTo(2);
    assertThat(times.p95Micros()).isEqualTo(3);
  }

  @Test
  void oneSampleIsEveryPercentile() {
    Times times = new Times(new long[] {1500}, 1);

    assertThat(times.minMicros()).isEqualTo(1.5);
    assertThat(times.medianMicros()).isEqualTo(1.5);
    assertThat(times.p95Micros()).isEqualTo(1.5);
  }
}
