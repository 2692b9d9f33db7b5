package dev.tutti.base.text;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Texts of the host: the same in every locale, so that people and scripts can search for them. */
public final class Sentence {

  private Sentence() {}

  /**
   * Fills in a format.
   *
   * @param format a format of {@link java.util.Formatter}
   */
  @SuppressWarnings("AnnotateFormatMethod") // the annotation would need a dependency
  public static String of(String format, @Nullable Object... arguments) {
    return String.format(Locale.ROOT, format, arguments);
  }

  /** The first line of a text; empty if there is none. */
  public static String firstLine(@Nullable String text) {
    return text == null ? "" : text.lines().findFirst().orElse("");
  }
}
