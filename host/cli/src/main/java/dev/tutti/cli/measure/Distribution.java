package dev.tutti.cli.measure;

import java.util.Arrays;
import java.util.function.IntToDoubleFunction;
import java.util.stream.DoubleStream;

/** Measured values, one or more, in ascending order. Immutable. */
public final class Distribution {

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

  /** The distribution of values by number, in any order. */
  public static Distribution of(int count, IntToDoubleFunction value) {
    double[] values = new double[count];
    Arrays.setAll(values, value);
    return new Distribution(values);
  }

  /** How many values there are. */
  public int count() {
    return sorted.length;
  }

  /** The value that so many others precede. */
  public double at(int index) {
    return sorted[index];
  }

  /** The least value. */
  public double least() {
    return sorted[0];
  }

  /** The largest value. */
  public double largest() {
    return sorted[sorted.length - 1];
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
   * The value below which a part of all lie.
   *
   * @param part from 0 to less than 1
   */
  public double quantile(double part) {
    return sorted[(int) (sorted.length * part)];
  }
}
