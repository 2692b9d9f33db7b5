package dev.tutti.sdk;

import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A typed parameter of an algorithm, such as a radix, a segment size or a number of streams.
 * Immutable.
 *
 * <pre>{@code
 * static final AlgParameter<Long> SEGMENT =
 *     AlgParameter.integer("segment", "bytes per pipeline step", 1 << 20, 1024, 1L << 30);
 *
 * long segment = SEGMENT.in(param.options());
 * }</pre>
 *
 * @param <T> the type of a value: {@link Long}, {@link String} or {@link Boolean}
 */
public final class AlgParameter<T> {

  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9-]*");
  private static final Pattern NUMBER =
      Pattern.compile("(-?\\d+)([KMGkmg]?)([Bb]|(?<=[KMGkmg])i[Bb]?)?");

  /** Distances of samples from the smallest value, chosen to matter for short vectors. */
  private static final long[] STEPS = {1, 2, 6, 600};

  private final String name;
  private final String summary;
  private final T defaultValue;
  private final String range;
  private final List<T> samples;
  private final Function<String, T> reader;

  private AlgParameter(
      String name,
      String summary,
      T defaultValue,
      String range,
      List<T> samples,
      Function<String, T> reader) {
    if (!NAME.matcher(name).matches()) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT,
          "a parameter name must match [a-z][a-z0-9-]*. Actual: '%s'",
          name);
    }
    this.name = name;
    this.summary = summary;
    this.defaultValue = defaultValue;
    this.range = range;
    this.samples = List.copyOf(samples);
    this.reader = reader;
  }

  /**
   * A whole number.
   *
   * @param name lower-case letters, digits and hyphens
   * @param summary what it does and its unit, one sentence
   * @param defaultValue the value when none is given
   * @param min the least legal value
   * @param max the greatest legal value
   */
  public static AlgParameter<Long> integer(
      String name, String summary, long defaultValue, long min, long max) {
    Arguments.require(name, "name");
    Arguments.require(summary, "summary");
    if (min > defaultValue || defaultValue > max) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT,
          "parameter '%s' needs min <= default <= max. Actual: min=%d, default=%d, max=%d",
          name,
          min,
          defaultValue,
          max);
    }
    return new AlgParameter<>(
        name,
        summary,
        defaultValue,
        min + " to " + max,
        samples(defaultValue, min, max),
        text -> {
          long value = parseNumber(name, text);
          if (value < min || value > max) {
            throw new TuttiException(
                ErrorCode.INVALID_ARGUMENT,
                "parameter '%s' must be %d to %d. Actual: %d",
                name,
                min,
                max,
                value);
          }
          return value;
        });
  }

  /**
   * One of several names.
   *
   * @param name lower-case letters, digits and hyphens
   * @param summary what it does, one sentence
   * @param defaultValue the value when none is given, one of the choices
   * @param choices the legal values
   */
  public static AlgParameter<String> choice(
      String name, String summary, String defaultValue, List<String> choices) {
    Arguments.require(name, "name");
    Arguments.require(summary, "summary");
    Arguments.require(defaultValue, "defaultValue");
    Arguments.require(choices, "choices");
    List<String> known = List.copyOf(choices);
    if (!known.contains(defaultValue)) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT,
          "parameter '%s' needs its default among the choices. Actual: default=%s, choices=%s",
          name,
          defaultValue,
          known);
    }
    return new AlgParameter<>(
        name,
        summary,
        defaultValue,
        String.join(" | ", known),
        known,
        text -> {
          if (!known.contains(text)) {
            throw Names.unknown("value of parameter '" + name + "':", text, known);
          }
          return text;
        });
  }

  /**
   * Yes or no.
   *
   * @param name lower-case letters, digits and hyphens
   * @param summary what it does, one sentence
   * @param defaultValue the value when none is given
   */
  public static AlgParameter<Boolean> flag(String name, String summary, boolean defaultValue) {
    Arguments.require(name, "name");
    Arguments.require(summary, "summary");
    return new AlgParameter<>(
        name,
        summary,
        defaultValue,
        "true | false",
        List.of(true, false),
        text ->
            switch (text.toLowerCase(Locale.ROOT)) {
              case "true" -> true;
              case "false" -> false;
              default ->
                  throw new TuttiException(
                      ErrorCode.INVALID_ARGUMENT,
                      "parameter '%s' must be true or false. Actual: '%s'",
                      name,
                      text);
            });
  }

  /** The default, both ends of the range, and values at growing distances from the smallest one. */
  private static List<Long> samples(long defaultValue, long min, long max) {
    TreeSet<Long> samples = new TreeSet<>(List.of(min, defaultValue, max));
    long width = max - min;
    for (long step : STEPS) {
      // The width of a range beyond that of a long is negative.
      if (width < 0 || width >= step) {
        samples.add(min + step);
      }
    }
    return List.copyOf(samples);
  }

  /** The name under which options hold the value. */
  public String name() {
    return name;
  }

  /** One sentence: what it does and its unit. */
  public String summary() {
    return summary;
  }

  /** The value when none is given. */
  public T defaultValue() {
    return defaultValue;
  }

  /** The legal values as text: {@code "1 to 64"} or {@code "ring | tree"}. */
  public String range() {
    return range;
  }

  /**
   * Legal values that an algorithm should be tested with, including the default: all choices in
   * their order; or, for whole numbers in ascending order, both ends of the range and some small
   * values.
   */
  public List<T> samples() {
    return samples;
  }

  /**
   * The value of this parameter among the given options, or its default.
   *
   * @throws TuttiException with {@link ErrorCode#INVALID_ARGUMENT} or {@link
   *     ErrorCode#UNKNOWN_NAME} if the value is not legal
   */
  public T in(AlgOptions options) {
    Arguments.require(options, "options");
    String text = options.values().get(name);
    return text == null ? defaultValue : parse(text);
  }

  /**
   * Reads a value from text. Whole numbers accept a suffix K, M or G, also written KiB, for powers
   * of 1024, and KB, MB or GB for powers of 1000.
   *
   * @throws TuttiException with {@link ErrorCode#INVALID_ARGUMENT} or {@link
   *     ErrorCode#UNKNOWN_NAME} if the value is not legal
   */
  public T parse(String text) {
    Arguments.require(text, "text");
    return reader.apply(text.trim());
  }

  private static long parseNumber(String name, String text) {
    Matcher matcher = NUMBER.matcher(text);
    if (!matcher.matches()) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT,
          "parameter '%s' must be a whole number with an optional suffix K, M or G (powers of 1024),"
              + " or KB, MB or GB (of 1000). Actual: '%s'",
          name,
          text);
    }
    int power =
        switch (matcher.group(2)) {
          case "K", "k" -> 1;
          case "M", "m" -> 2;
          case "G", "g" -> 3;
          default -> 0;
        };
    long base = "B".equalsIgnoreCase(matcher.group(3)) ? 1000 : 1024;
    try {
      long number = Long.parseLong(matcher.group(1));
      for (int i = 0; i < power; i++) {
        number = Math.multiplyExact(number, base);
      }
      return number;
    } catch (ArithmeticException | NumberFormatException e) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT, e, "parameter '%s' is too large: %s", name, text);
    }
  }

  @Override
  public String toString() {
    return name + " = " + defaultValue + " (" + range + "): " + summary;
  }
}
