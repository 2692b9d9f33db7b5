package dev.tutti.cli.tune;

import dev.tutti.base.text.Sentence;
import dev.tutti.cli.measure.Distribution;

/**
 * How many times as long one thing takes as another, measured several times.
 *
 * @param median the middle one of all
 * @param low where the true median lies above, but for one case in twenty; the least of all if
 *     there are few
 * @param high where it lies below, likewise
 * @param count how often it was measured
 */
record Ratio(double median, double low, double high, int count) {

  /** Measurements whose range holds the true median in 15 of 16 cases. */
  static final int ENOUGH = 5;

  /** The other end of the range is as unlikely, so that both together are one case in ten. */
  private static final double DOUBT = 0.05;

  /** A table of one ratio or more. */
  static Ratio of(double[] ratios) {
    Distribution all = Distribution.of(ratios);
    int count = all.count();
    int cut = cut(count);
    return new Ratio(all.median(), all.at(cut), all.at(count - 1 - cut), count);
  }

  /**
   * How many values at each end may be left out: each value is above or below the true median by
   * the toss of a coin, so the number of those below is binomial.
   */
  private static int cut(int count) {
    double outcome = Math.pow(0.5, count);
    double below = outcome;
    int cut = 0;
    for (int i = 1; i < count / 2; i++) {
      outcome *= (double) (count - i + 1) / i;
      below += outcome;
      if (below > DOUBT) {
        break;
      }
      cut = i;
    }
    return cut;
  }

  /** Whether it is beyond doubt that it is no more than a limit. */
  boolean isAtMost(double limit) {
    return count >= ENOUGH && high <= limit;
  }

  /** Whether it is beyond doubt that it is more than a limit. */
  boolean isMoreThan(double limit) {
    return count >= ENOUGH && low > limit;
  }

  /** How far from 1 the range goes, as a factor. */
  double spread() {
    return Math.max(high, 1 / low);
  }

  /** The range. */
  @Override
  public String toString() {
    return Sentence.of("%.2f–%.2f", low, high);
  }
}
