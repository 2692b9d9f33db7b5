package dev.tutti.cli.bench;

import java.util.Locale;

/**
 * The latency of a cache line between two processors, before and after a measurement. A hypervisor
 * may move virtual processors, so times are comparable only if this latency is the same.
 *
 * @param beforeNanos nanoseconds one way before the measurement; NaN if not known
 * @param afterNanos the same after the measurement
 */
record HopRange(double beforeNanos, double afterNanos) {

  static final HopRange UNKNOWN = new HopRange(Double.NaN, Double.NaN);

  private static final double CHANGED = 1.5;

  /** {@code "48"}, or {@code "48/210"} if the state changed in between. */
  @Override
  public String toString() {
    if (Double.isNaN(beforeNanos) || Double.isNaN(afterNanos)) {
      return "-";
    }
    double low = Math.min(beforeNanos, afterNanos);
    double high = Math.max(beforeNanos, afterNanos);
    return high > low * CHANGED
        ? String.format(Locale.ROOT, "%.0f/%.0f", beforeNanos, afterNanos)
        : String.format(Locale.ROOT, "%.0f", (low + high) / 2);
  }
}
