package dev.tutti.verifier.gate;

import java.util.Locale;

/** Text that a plugin made, up to a bound, so that messages and files stay of a size to read. */
public final class PluginText {

  /** The most characters that are kept. */
  static final int MAX_CHARACTERS = 4_000;

  private PluginText() {}

  /** Whether a text is kept as it is. */
  public static boolean isShort(String text) {
    return text.length() <= MAX_CHARACTERS;
  }

  /** The text, or its start and its length. */
  public static String cut(String text) {
    return cut(text, MAX_CHARACTERS);
  }

  static String cut(String text, int most) {
    return text.length() <= most
        ? text
        : String.format(
            Locale.ROOT, "%s… (%,d characters in all)", text.substring(0, most), text.length());
  }
}
