package dev.tutti.sdk;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The only exception type of Tutti. Its message says what was asked, what was found and what to do.
 * Programs can rely on its stable code.
 */
public class TuttiException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** The most characters shown of a quoted argument, which is an input. */
  private static final int MOST_OF_QUOTED = 256;

  /** The most characters shown of any other argument, such as a report. */
  private static final int MOST_OF_ARGUMENT = 1 << 14;

  private final ErrorCode code;

  /**
   * An error without a cause.
   *
   * @param code the stable code
   * @param format a {@link String#format} pattern, or plain text if there are no arguments
   * @param arguments the arguments of the pattern
   */
  public TuttiException(ErrorCode code, String format, @Nullable Object... arguments) {
    super(text(format, arguments));
    this.code = code;
  }

  /**
   * An error with a cause.
   *
   * @param code the stable code
   * @param cause the cause
   * @param format a {@link String#format} pattern, or plain text if there are no arguments
   * @param arguments the arguments of the pattern
   */
  public TuttiException(
      ErrorCode code, Throwable cause, String format, @Nullable Object... arguments) {
    super(text(format, arguments), cause);
    this.code = code;
  }

  /** The stable code. */
  public final ErrorCode code() {
    return code;
  }

  private static String text(String format, @Nullable Object[] arguments) {
    if (arguments.length == 0) {
      return format;
    }
    @Nullable Object[] shown = arguments.clone();
    int at = -1;
    for (int i = 0; i < shown.length; i++) {
      at = format.indexOf('%', at + 1);
      boolean isQuoted = at > 0 && format.startsWith("'%s'", at - 1);
      boolean isText = shown[i] instanceof CharSequence || shown[i] instanceof Iterable<?>;
      if (isText) {
        int most = isQuoted ? MOST_OF_QUOTED : MOST_OF_ARGUMENT;
        shown[i] = Names.shown(String.valueOf(shown[i]), most);
      }
    }
    return String.format(Locale.ROOT, format, shown);
  }

  /** The message after its code, for example {@code "[TUTTI-104] rank must …"}. */
  @Override
  public String getLocalizedMessage() {
    return "[" + code.id() + "] " + getMessage();
  }
}
