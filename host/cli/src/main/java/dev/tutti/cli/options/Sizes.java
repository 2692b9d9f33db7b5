package dev.tutti.cli.options;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Numbers with the suffixes K, M and G, which are powers of 1024. */
public final class Sizes {

  private static final Pattern PATTERN = Pattern.compile("([+-]?\\d+) ?([KMGkmg]?)(i?[Bb])?");
  private static final String[] UNITS = {"B", "KiB", "MiB", "GiB", "TiB"};

  private Sizes() {}

  /** Reads the value of an option. */
  public static final class Converter implements ITypeConverter<Long> {
    @Override
    public Long convert(String text) {
      return parse(text);
    }
  }

  /** A whole number; whether it may be negative is for the caller to say. */
  public static long parse(String text) {
    Matcher matcher = PATTERN.matcher(text.strip());
    if (!matcher.matches()) {
      throw new TypeConversionException(
          "'" + text + "' is not a whole number with an optional suffix K, M or G");
    }
    int shift =
        switch (matcher.group(2).toUpperCase(Locale.ROOT)) {
          case "K" -> 10;
          case "M" -> 20;
          case "G" -> 30;
          default -> 0;
        };
    try {
      return Math.multiplyExact(Long.parseLong(matcher.group(1)), 1L << shift);
    } catch (ArithmeticException | NumberFormatException e) {
      throw new TypeConversionException("'" + text + "' does not fit in 63 bits");
    }
  }

  /** A size for people: exact if it is a multiple of its unit, else with three digits. */
  public static String bytes(long bytes) {
    int unit = 0;
    double value = bytes;
    while (value >= 1024 && unit < UNITS.length - 1) {
      value /= 1024;
      unit++;
    }
    String number =
        value == Math.rint(value)
            ? Long.toString((long) value)
            : String.format(
                Locale.ROOT, value < 10 ? "%.2f" : value < 100 ? "%.1f" : "%.0f", value);
    return number + " " + UNITS[unit];
  }
}
