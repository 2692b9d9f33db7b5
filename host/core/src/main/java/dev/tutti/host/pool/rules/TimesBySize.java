package dev.tutti.host.pool.rules;

import java.util.Map;
import java.util.NavigableMap;

/**
 * Times for some sizes, and interpolated times between them.
 *
 * @param micros microseconds by bytes; at least one
 */
record TimesBySize(NavigableMap<Long, Double> micros) {

  private static final double MICROS_PER_SECOND = 1e6;

  /**
   * The time for a size in seconds, interpolated over the logarithms of size and time. Below the
   * smallest size, it is the time of the smallest; above the largest, it grows in proportion to the
   * bytes.
   */
  double seconds(long bytes) {
    Map.Entry<Long, Double> below = micros.floorEntry(bytes);
    Map.Entry<Long, Double> above = micros.ceilingEntry(bytes);
    double time = 0;
    if (below != null && above != null) {
      time = between(below, above, bytes);
    } else if (above != null) {
      time = above.getValue();
    } else if (below != null) {
      time = below.getValue() * bytes / Math.max(1, below.getKey());
    }
    return time / MICROS_PER_SECOND;
  }

  private static double between(
      Map.Entry<Long, Double> below, Map.Entry<Long, Double> above, long bytes) {
    if (below.getKey().equals(above.getKey())) {
      return below.getValue();
    }
    double start = logarithm(below.getKey());
    double part = (logarithm(bytes) - start) / (logarithm(above.getKey()) - start);
    double first = Math.log(below.getValue());
    return Math.exp(first + (Math.log(above.getValue()) - first) * part);
  }

  private static double logarithm(long bytes) {
    return Math.log((double) Math.max(1, bytes));
  }
}
