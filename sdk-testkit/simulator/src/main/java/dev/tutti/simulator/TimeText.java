package dev.tutti.simulator;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.util.Locale;

/** Times, sizes and bandwidths as text. */
final class TimeText {

  private static final String[] TIME_UNITS = {"ps", "ns", "µs", "ms", "s"};
  private static final String[] RATE_UNITS = {"B/s", "kB/s", "MB/s", "GB/s", "TB/s", "PB/s"};

  private TimeText() {}

  /** A time in picoseconds with four digits, for example {@code "12.34 µs"}. */
  static String time(long picoseconds) {
    return scaled((double) picoseconds, TIME_UNITS);
  }

  /** A bandwidth in bytes per second with four digits, for example {@code "25 GB/s"}. */
  static String bandwidth(double bytesPerSecond) {
    return Double.isInfinite(bytesPerSecond) ? "free" : scaled(bytesPerSecond, RATE_UNITS);
  }

  private static String scaled(double value, String[] units) {
    int unit = 0;
    double rest = value;
    while (rest >= 999.95 && unit < units.length - 1) {
      rest /= 1000;
      unit++;
    }
    String digits =
        rest == Math.rint(rest)
            ? "%.0f".formatted(rest)
            : String.format(Locale.ROOT, rest >= 100 ? "%.1f" : rest >= 10 ? "%.2f" : "%.3f", rest);
    return digits + " " + units[unit];
  }

  /** The error for a time that does not fit. */
  static TuttiException tooLong() {
    return new TuttiException(
        ErrorCode.INVALID_ARGUMENT,
        "a simulated time must be below 2^63 picoseconds, which is 106 days. Actual: more; use"
            + " smaller terms or fewer bytes");
  }

  /** The sum of two times, or the error that it does not fit. */
  static long add(long a, long b) {
    long sum = a + b;
    if (sum < 0) {
      throw tooLong();
    }
    return sum;
  }
}
