package dev.tutti.cli.terminal;

import java.time.Duration;
import java.util.Locale;

/** Formats numbers as text. */
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

  /** A time in its two largest units: {@code "5 s"}, {@code "2 min 5 s"}, {@code "3 h 2 min"}. */
  public static String time(Duration time) {
    long seconds = time.toSeconds();
    if (seconds < 60) {
      return seconds + " s";
    }
    return seconds < 3600
        ? seconds / 60 + " min " + seconds % 60 + " s"
        : seconds / 3600 + " h " + seconds / 60 % 60 + " min";
  }
}
