package dev.tutti.sdk;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The one exception family. The message says what was asked, what was found and what to do; the
 * code is stable and made for programs.
 */
public class TuttiException extends RuntimeException {

  private static final long serialVersionUID = 1L;

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
   * @param cause what led to it
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
    return arguments.length == 0 ? format : String.format(Locale.ROOT, format, arguments);
  }

  /** The message behind its code, for example {@code "[TUTTI-104] rank must …"}. */
  @Override
  public String getLocalizedMessage() {
    return "[" + code.id() + "] " + getMessage();
  }
}
