package dev.tutti.host.pool.rules;

import dev.tutti.sdk.Arguments;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A range of whole numbers.
 *
 * @param min the smallest, 0 or more
 * @param max the largest, inclusive
 */
public record Range(long min, long max) {

  /** All numbers. */
  public static final Range ALL = new Range(0, Long.MAX_VALUE);

  private static final Pattern TEXT =
      Pattern.compile("(?<min>\\d{1,18}[KMG]?)?(?<dots>\\.\\.)?(?<max>\\d{1,18}[KMG]?)?");

  /** Checks the order. */
  public Range {
    if (min < 0 || max < min) {
      throw new TuttiException(
          ErrorCode.INVALID_RULES,
          "a range must satisfy 0 <= least <= greatest. Actual: %d..%d",
          min,
          max);
    }
  }

  /**
   * Reads {@code "4"}, {@code "1K..4M"}, {@code "1M.."} or {@code "..64K"}; K, M and G are powers
   * of 1024, and both ends are inclusive.
   *
   * @throws TuttiException with {@link ErrorCode#INVALID_RULES}
   */
  public static Range parse(String text) {
    Arguments.require(text, "text");
    Matcher matcher = TEXT.matcher(text);
    if (!matcher.matches()
        || text.isEmpty()
        || (matcher.group("dots") == null && matcher.group("max") != null)) {
      throw new TuttiException(
          ErrorCode.INVALID_RULES,
          "'%s' is not a range; write 4, 1K..4M, 1M.. or ..64K, with both ends included",
          text);
    }
    String min = matcher.group("min");
    String max = matcher.group("max");
    long least = min == null ? 0 : number(min);
    if (matcher.group("dots") == null) {
      return new Range(least, least);
    }
    return new Range(least, max == null ? Long.MAX_VALUE : number(max));
  }

  private static long number(String text) {
    int shift = 10 * (1 + "KMG".indexOf(text.charAt(text.length() - 1)));
    String digits = shift == 0 ? text : text.substring(0, text.length() - 1);
    long value = Long.parseLong(digits);
    return value > Long.MAX_VALUE >> shift ? Long.MAX_VALUE : value << shift;
  }

  /** Whether a number is in it. */
  public boolean contains(long value) {
    return min <= value && value <= max;
  }

  /** Whether all numbers of another range are in this one. */
  public boolean contains(Range other) {
    Arguments.require(other, "other");
    return min <= other.min && other.max <= max;
  }

  @Override
  public String toString() {
    if (min == max) {
      return Long.toString(min);
    }
    return (min == 0 ? "" : min) + ".." + (max == Long.MAX_VALUE ? "" : max);
  }
}
