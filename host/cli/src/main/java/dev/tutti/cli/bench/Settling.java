package dev.tutti.cli.bench;

/**
 * Detects when times no longer fall, as they do while the JVM compiles code: when several times in
 * a row are not clearly below the best earlier one. Not thread-safe.
 */
final class Settling {

  private static final double NOISE = 1.05;

  private final int enough;
  private double best = Double.MAX_VALUE;
  private int settled;

  /** Times are settled after {@code enough} such times in a row. */
  Settling(int enough) {
    this.enough = enough;
  }

  void add(double time) {
    settled = time * NOISE < best ? 0 : settled + 1;
    best = Math.min(best, time);
  }

  boolean isSettled() {
    return settled >= enough;
  }
}
