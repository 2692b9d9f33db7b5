package dev.tutti.cli.terminal;

import java.util.Locale;

/** Numbers for people. */
public final class Text {

  private Text() {}

  /** Two to four digits, for times and bandwidths of any size; a hyphen for NaN. */
  public static String number(double value) {
    if (Double.isNaN(value)) {
      return "-";
    }
    return String.format(Locale.ROOT, pattern(value), value);
  }

  private static String pattern(double value) {
    if (value < 0.001) {
      return value == 0 ? "%.0f" : "%.1e";
    }
    return value < 1 ? "%.3f" : value < 100 ? "%.2f" : value < 1000 ? "%.1f" : "%.0f";
  }

  /** A number of things: {@code "1 rank"}, {@code "2 ranks"}. */
  public static String count(long number, String thing) {
    return number + " " + thing + (number == 1 ? "" : "s");
  }
}
