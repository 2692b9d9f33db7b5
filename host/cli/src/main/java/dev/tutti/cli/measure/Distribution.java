package dev.tutti.cli.measure;

import java.util.Arrays;
import java.util.function.IntToDoubleFunction;
import java.util.stream.DoubleStream;

/** One or more measured values in ascending order. Immutable. */
public final class Distribution {

  /**
   * The number of standard deviations on each side of the mean that contain 95 % of a normal
   * distribution.
   */
  private static final double Z = 1.96;

  /**
   * With fewer values, not even the smallest and the largest enclose the true median with 95 %
   * confidence.
   */
  public static final int FEWEST = 6;

  private static final double VAGUE = 0.1;

  private final double[] sorted;

  private Distribution(double[] values) {
    Arrays.sort(values);
    sorted = values;
  }

  /** The distribution of values in any order. */
  public static Distribution of(double... values) {
    return new Distribution(values.clone());
  }

  /** The distribution of values in any order. */
  public static Distribution of(DoubleStream values) {
    return new Distribution(values.toArray());
  }

  /** The distribution of values by index, in any order. */
  public static Distribution of(int count, IntToDoubleFunction value) {
    double[] values = new double[count];
    Arrays.setAll(values, value);
    return new Distribution(values);
  }

  /** The number of values. */
  public int count() {
    return sorted.length;
  }

  /** The value at an index in ascending order. */
  public double at(int index) {
    return sorted[index];
  }

  /** The smallest value. */
  public double least() {
    return sorted[0];
  }

  /** The largest value. */
  public double largest() {
    return sorted[sorted.length - 1];
  }

  /**
   * The largest relative distance of the true median from the median of these values, with 95 %
   * confidence, if the values are independent. It comes from the order statistics that enclose the
   * true median. Infinite for fewer than {@link #FEWEST} values.
   */
  public double medianError() {
    int count = sorted.length;
    if (count < FEWEST) {
      return Double.POSITIVE_INFINITY;
    }
    int low = Math.max(0, (int) (count / 2.0 - Z / 2 * Math.sqrt(count)) - 1);
    double median = median();
    return Math.max(median - sorted[low], sorted[count - 1 - low] - median) / median;
  }

  /**
   * Whether the median is not known to within a tenth, because the values are too few or too
   * scattered.
   */
  public boolean isVague() {
    return medianError() > VAGUE;
  }

  /** The average. */
  public double mean() {
    return Arrays.stream(sorted).average().orElseThrow();
  }

  /** The middle value; the upper one of two. */
  public double median() {
    return quantile(0.5);
  }

  /**
   * The value below which a share of all values lies.
   *
   * @param part the share, from 0 to less than 1
   */
  public double quantile(double part) {
    return sorted[(int) (sorted.length * part)];
  }
}
