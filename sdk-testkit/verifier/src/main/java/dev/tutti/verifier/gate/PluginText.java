package dev.tutti.verifier.gate;

import java.util.Locale;

/** Cuts text that a plugin made, so that messages and files stay readable. */
public final class PluginText {

  /** The most characters that are kept. */
  static final int MAX_CHARACTERS = 4_000;

  private PluginText() {}

  /** Whether a text is short enough to stay as it is. */
  public static boolean isShort(String text) {
    return text.length() <= MAX_CHARACTERS;
  }

  /** The text; if it is too long, its start and its length. */
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
