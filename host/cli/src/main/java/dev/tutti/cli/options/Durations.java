package dev.tutti.cli.options;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Lengths of time such as {@code 500ms}, {@code 1.5s} or {@code 2m}; seconds without a unit. */
public final class Durations implements ITypeConverter<Duration> {

  /** The same for the time of a measurement, which must not be 0. */
  public static final class OfMeasurement implements ITypeConverter<Duration> {
    private final Durations durations = new Durations();

    @Override
    public Duration convert(String text) {
      Duration time = durations.convert(text);
      if (time.isZero()) {
        throw new TypeConversionException(
            "'" + text + "' is too short a time to measure in; give a longer one");
      }
      return time;
    }
  }

  /** A time as this class reads it, in seconds: {@code "0.5 s"}. */
  public static String seconds(Duration time) {
    return BigDecimal.valueOf(time.toNanos(), 9).stripTrailingZeros().toPlainString() + " s";
  }

  private static final Pattern PATTERN =
      Pattern.compile("(?<number>(?<whole>\\d+)(?:\\.\\d{1,9})?)(?<unit>us|ms|s|m)?");
  private static final int MOST_DIGITS = 9;

  @Override
  public Duration convert(String text) {
    Matcher matcher = PATTERN.matcher(text.strip());
    if (!matcher.matches()) {
      throw new TypeConversionException(
          "'" + text + "' is not a time such as 500ms, 1.5s or 2m (seconds without a unit)");
    }
    if (matcher.group("whole").length() > MOST_DIGITS) {
      throw new TypeConversionException(
          "'" + text + "' is too large; the number of a time has at most nine digits");
    }
    String unit = matcher.group("unit") == null ? "s" : matcher.group("unit");
    long nanos =
        switch (unit) {
          case "us" -> 1_000L;
          case "ms" -> 1_000_000L;
          case "m" -> 60_000_000_000L;
          default -> 1_000_000_000L;
        };
    return Duration.ofNanos(
        new BigDecimal(matcher.group("number")).multiply(BigDecimal.valueOf(nanos)).longValue());
  }
}
