package dev.tutti.plugin;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A range of versions in Maven's notation: square brackets include a bound, parentheses do not. */
record VersionRange(
    String text,
    @Nullable Version low,
    boolean includesLow,
    @Nullable Version high,
    boolean includesHigh) {

  private static final Pattern FORM =
      Pattern.compile("([\\[(])\\s*([^,\\[\\]()]*)\\s*,\\s*([^,\\[\\]()]*)\\s*([\\])])");

  /**
   * Reads a range such as {@code "[0.1,1.0)"}; an empty side has no bound.
   *
   * @throws TuttiException with {@link ErrorCode#INVALID_ARGUMENT} if it is not a range, or empty
   */
  static VersionRange parse(String text) {
    Matcher matcher = FORM.matcher(text.trim());
    if (!matcher.matches()) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT,
          "a version range must look like [0.1,1.0). Actual: '%s'",
          text);
    }
    VersionRange range =
        new VersionRange(
            text.trim(),
            bound(matcher.group(2)),
            matcher.group(1).equals("["),
            bound(matcher.group(3)),
            matcher.group(4).equals("]"));
    range.checkNotEmpty();
    return range;
  }

  private static @Nullable Version bound(String text) {
    return text.isBlank() ? null : Version.parse(text);
  }

  private void checkNotEmpty() {
    if (low == null || high == null) {
      return;
    }
    int order = low.compareTo(high);
    if (order > 0 || (order == 0 && !(includesLow && includesHigh))) {
      throw new TuttiException(ErrorCode.INVALID_ARGUMENT, "no version is in the range %s", text);
    }
  }

  boolean contains(Version version) {
    int aboveLow = low == null ? 1 : version.compareTo(low);
    int belowHigh = high == null ? 1 : high.compareTo(version);
    return (aboveLow > 0 || (aboveLow == 0 && includesLow))
        && (belowHigh > 0 || (belowHigh == 0 && includesHigh));
  }
}
