package dev.tutti.base.text;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What the host says: the same in every locale, so that people and scripts can search for it. */
public final class Sentence {

  private Sentence() {}

  /**
   * Fills in a format.
   *
   * @param format as of {@link java.util.Formatter}
   */
  @SuppressWarnings("AnnotateFormatMethod") // its annotation would be a dependency
  public static String of(String format, @Nullable Object... arguments) {
    return String.format(Locale.ROOT, format, arguments);
  }

  /** The first line of a text; empty if there is none. */
  public static String firstLine(@Nullable String text) {
    return text == null ? "" : text.lines().findFirst().orElse("");
  }
}
