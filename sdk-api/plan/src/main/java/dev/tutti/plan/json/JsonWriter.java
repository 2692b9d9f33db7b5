package dev.tutti.plan.json;

import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * Writes JSON piece by piece, with line breaks where the caller wants them. The writer adds commas;
 * the caller opens and closes in pairs, names every field, and calls {@link #finish}. The text is
 * valid in every Unicode encoding, because control characters and lone surrogates are escaped. If
 * the target fails, the writer throws a {@link TargetException}. Not thread-safe.
 *
 * <pre>{@code
 * StringBuilder text = new StringBuilder();
 * new JsonWriter(text).open('{').name("ranks").value(4).close('}').finish();
 * }</pre>
 */
public final class JsonWriter {

  private static final int FLUSH_CHARS = 1 << 13;

  private final Appendable out;
  private final StringBuilder pending = new StringBuilder(FLUSH_CHARS + 1024);
  private boolean needsComma;

  /** The target has thrown an IOException; unchecked exceptions of the target are not wrapped. */
  public static final class TargetException extends UncheckedIOException {

    private static final long serialVersionUID = 1L;

    TargetException(IOException cause) {
      super(cause);
    }
  }

  /** Writes to a target, which gets the last characters on {@link #finish}. */
  public JsonWriter(Appendable out) {
    this.out = out;
  }

  /** Opens an object or an array. */
  public JsonWriter open(char bracket) {
    separate();
    pending.append(bracket);
    return this;
  }

  /** Closes an object or an array on the same line. */
  public JsonWriter close(char bracket) {
    pending.append(bracket);
    return done();
  }

  /** Closes an object or an array on a line of its own. */
  public JsonWriter close(char bracket, int indent) {
    breakLine(indent);
    return close(bracket);
  }

  /** Starts a new line. */
  public JsonWriter line(int indent) {
    if (needsComma) {
      pending.append(',');
    }
    needsComma = false;
    breakLine(indent);
    return this;
  }

  /** The name of the field whose value follows. */
  public JsonWriter name(String name) {
    separate();
    quote(name);
    pending.append(": ");
    return this;
  }

  /** A string. */
  public JsonWriter value(String text) {
    separate();
    quote(text);
    return done();
  }

  /** A whole number. */
  public JsonWriter value(long number) {
    separate();
    pending.append(number);
    return done();
  }

  /**
   * A number, in a form that reads back as the same double.
   *
   * @throws IllegalArgumentException if it is not finite, because JSON cannot represent that
   */
  public JsonWriter value(double number) {
    if (!Double.isFinite(number)) {
      throw new IllegalArgumentException("JSON cannot represent " + number);
    }
    separate();
    pending.append(number);
    return done();
  }

  /**
   * A decimal number, exactly: {@code units / 10^scale}.
   *
   * @param units 0 or more
   * @param scale the digits after the decimal point, 1 or more
   */
  public JsonWriter decimal(long units, int scale) {
    separate();
    String digits = Long.toString(units);
    digits = "0".repeat(Math.max(0, scale + 1 - digits.length())) + digits;
    int point = digits.length() - scale;
    pending.append(digits, 0, point).append('.').append(digits, point, digits.length());
    return done();
  }

  /** True or false. */
  public JsonWriter value(boolean flag) {
    separate();
    pending.append(flag);
    return done();
  }

  /** Writes the rest of the text to the target. */
  public void finish() {
    flush();
  }

  private void separate() {
    if (needsComma) {
      pending.append(", ");
    }
    needsComma = false;
  }

  private JsonWriter done() {
    needsComma = true;
    if (pending.length() >= FLUSH_CHARS) {
      flush();
    }
    return this;
  }

  private void flush() {
    try {
      out.append(pending);
    } catch (IOException e) {
      throw new TargetException(e);
    }
    pending.setLength(0);
  }

  private void breakLine(int indent) {
    pending.append('\n').repeat(' ', indent);
  }

  private void quote(String text) {
    pending.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        pending.append('\\').append(c);
      } else if (c < ' ' || c == 0x7f || c == '\ufffe' || c == '\uffff' || isLone(text, i)) {
        pending.append("\\u%04x".formatted((int) c));
      } else {
        pending.append(c);
      }
    }
    pending.append('"');
  }

  private static boolean isLone(String text, int i) {
    char c = text.charAt(i);
    if (Character.isHighSurrogate(c)) {
      return i + 1 == text.length() || !Character.isLowSurrogate(text.charAt(i + 1));
    }
    return Character.isLowSurrogate(c)
        && (i == 0 || !Character.isHighSurrogate(text.charAt(i - 1)));
  }
}
