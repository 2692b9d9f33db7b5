package dev.tutti.plugin;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A version number of up to three parts; missing parts are 0. The text after a hyphen or a plus is
 * not compared.
 */
record Version(int major, int minor, int patch) implements Comparable<Version> {

  private static final Pattern FORM =
      Pattern.compile("(\\d{1,9})(?:\\.(\\d{1,9}))?(?:\\.(\\d{1,9}))?(?:[-+][0-9A-Za-z.+-]*)?");

  static Version parse(String text) {
    Matcher matcher = FORM.matcher(text.trim());
    if (!matcher.matches()) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT,
          "a version must look like 1.2.3 or 1.2.3-rc1. Actual: '%s'",
          text);
    }
    return new Version(part(matcher, 1), part(matcher, 2), part(matcher, 3));
  }

  private static int part(Matcher matcher, int group) {
    return matcher.group(group) == null ? 0 : Integer.parseInt(matcher.group(group));
  }

  @Override
  public int compareTo(Version other) {
    int order = Integer.compare(major, other.major);
    order = order != 0 ? order : Integer.compare(minor, other.minor);
    return order != 0 ? order : Integer.compare(patch, other.patch);
  }

  @Override
  public String toString() {
    return major + "." + minor + "." + patch;
  }
}
