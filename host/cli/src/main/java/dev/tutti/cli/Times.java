package dev.tutti.cli;

import java.util.Arrays;

/** The times of single runs. */
final class Times {

  static final double NANOS_PER_MICRO = 1e3;

  private final long[] sortedNanos;

  /** Takes a copy of the first {@code count} samples, at least one. */
  Times(long[] samples, int count) {
    sortedNanos = Arrays.copyOf(samples, count);
    Arrays.sort(sortedNanos);
  }

  int count() {
    return sortedNanos.length;
  }

  double minMicros() {
    return sortedNanos[0] / NANOS_PER_MICRO;
  }

  double medianMicros() {
    return sortedNanos[sortedNanos.length / 2] / NANOS_PER_MICRO;
  }

  double p95Micros() {
    return sortedNanos[(int) (sortedNanos.length * 0.95)] / NANOS_PER_MICRO;
  }
}
