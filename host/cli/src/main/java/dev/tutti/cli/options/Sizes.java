package dev.tutti.cli.options;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Whole numbers with an optional suffix: K, M and G, also written Ki or KiB, are powers of 1024;
 * KB, MB and GB are powers of 1000.
 */
public final class Sizes {

  private static final Pattern PATTERN =
      Pattern.compile("([+-]?\\d+) ?([KMGkmg]?)([Bb]|(?<=[KMGkmg])i[Bb]?)?");
  private static final String[] UNITS = {"B", "KiB", "MiB", "GiB", "TiB"};

  private Sizes() {}

  /** Reads the value of an option. */
  public static final class Converter implements ITypeConverter<Long> {
    @Override
    public Long convert(String text) {
      return parse(text);
    }
  }

  /** A whole number; the caller decides whether it may be negative. */
  public static long parse(String text) {
    Matcher matcher = PATTERN.matcher(text.strip());
    if (!matcher.matches()) {
      throw new TypeConversionException(
          "'"
              + text
              + "' is not a whole number with an optional suffix K, M or G (powers of 1024), or KB, MB or"
              + " GB (of 1000)");
    }
    int power =
        switch (matcher.group(2).toUpperCase(Locale.ROOT)) {
          case "K" -> 1;
          case "M" -> 2;
          case "G" -> 3;
          default -> 0;
        };
    long base = "B".equalsIgnoreCase(matcher.group(3)) ? 1000 : 1024;
    try {
      long unit = 1;
      for (int i = 0; i < power; i++) {
        unit *= base;
      }
      return Math.multiplyExact(Long.parseLong(matcher.group(1)), unit);
    } catch (ArithmeticException | NumberFormatException e) {
      throw new TypeConversionException(
          "'" + text + "' is too large; the largest number is " + Long.MAX_VALUE);
    }
  }

  /** A size as text: exact if it is a multiple of its unit, otherwise with three digits. */
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
