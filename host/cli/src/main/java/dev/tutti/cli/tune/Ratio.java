package dev.tutti.cli.tune;

import dev.tutti.base.text.Sentence;
import dev.tutti.cli.measure.Distribution;

/**
 * The ratio of the times of two subjects, measured several times.
 *
 * @param median the median of all measurements
 * @param low a lower bound of the true median, with 95 % confidence; the smallest measurement if
 *     there are few
 * @param high the corresponding upper bound
 * @param count the number of measurements
 */
record Ratio(double median, double low, double high, int count) {

  /** The number of measurements whose range contains the true median in 15 of 16 cases. */
  static final int ENOUGH = 5;

  /**
   * The probability of an error at one end of the range. Both ends are equally unlikely, so the
   * range is wrong in one case of ten.
   */
  private static final double DOUBT = 0.05;

  /** The ratio of one or more measurements. */
  static Ratio of(double[] ratios) {
    Distribution all = Distribution.of(ratios);
    int count = all.count();
    int cut = cut(count);
    return new Ratio(all.median(), all.at(cut), all.at(count - 1 - cut), count);
  }

  /**
   * The number of values at each end that may be left out. Each value is above or below the true
   * median with equal probability, so the number of values below it has a binomial distribution.
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

  /** Whether the ratio is certainly at most a limit. */
  boolean isAtMost(double limit) {
    return count >= ENOUGH && high <= limit;
  }

  /** Whether the ratio is certainly more than a limit. */
  boolean isMoreThan(double limit) {
    return count >= ENOUGH && low > limit;
  }

  /** The largest distance of the range from 1, as a factor. */
  double spread() {
    return Math.max(high, 1 / low);
  }

  /** The range. */
  @Override
  public String toString() {
    return Sentence.of("%.2f–%.2f", low, high);
  }
}
