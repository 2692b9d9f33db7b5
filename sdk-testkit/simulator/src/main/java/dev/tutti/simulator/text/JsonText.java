package dev.tutti.simulator.text;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Writes JSON piece by piece. Commas are set as they are needed; the caller opens and closes in
 * pairs and names every field. What is written is valid in every Unicode encoding: control
 * characters and lone surrogates are escaped. Not thread-safe.
 *
 * <pre>{@code
 * JsonText json = new JsonText();
 * json.open('{').name("ranks").value(4).close('}');
 * String text = json.toString();
 * }</pre>
 */
public final class JsonText {

  private static final int FLUSH_CHARS = 1 << 13;

  private final @Nullable Appendable out;
  private final StringBuilder pending = new StringBuilder();
  private boolean needsComma;
  private boolean needsLine;

  /** Collects the text for {@link #toString}. */
  public JsonText() {
    this.out = null;
  }

  /** Writes to a target, which gets the last characters on {@link #finish}. */
  public JsonText(Appendable out) {
    this.out = out;
  }

  /**
   * Opens an object or an array.
   *
   * @param bracket <code>{</code> or <code>[</code>
   */
  public JsonText open(char bracket) {
    separate();
    pending.append(bracket);
    return this;
  }

  /**
   * Closes an object or an array.
   *
   * @param bracket <code>}</code> or <code>]</code>
   */
  public JsonText close(char bracket) {
    if (needsLine) {
      pending.append('\n');
      needsLine = false;
    }
    pending.append(bracket);
    return done();
  }

  /** Puts what follows on a new line: a value, a name, or a closing bracket. */
  public JsonText line() {
    needsLine = true;
    return this;
  }

  /** The name of the field whose value follows. */
  public JsonText name(String name) {
    separate();
    quote(name);
    pending.append(": ");
    return this;
  }

  /** A string. */
  public JsonText value(String text) {
    separate();
    quote(text);
    return done();
  }

  /** A whole number. */
  public JsonText value(long number) {
    separate();
    pending.append(number);
    return done();
  }

  /**
   * A number; written so that reading it gives the same double.
   *
   * @throws IllegalArgumentException if it is not finite, for JSON has no word for that
   */
  public JsonText value(double number) {
    if (!Double.isFinite(number)) {
      throw new IllegalArgumentException("JSON has no word for " + number);
    }
    separate();
    pending.append(number);
    return done();
  }

  /** True or false. */
  public JsonText value(boolean flag) {
    separate();
    pending.append(flag);
    return done();
  }

  /**
   * A decimal number, exactly: {@code units / 10^scale}.
   *
   * @param units 0 or more
   * @param scale the digits behind the point, 0 or more
   */
  public JsonText decimal(long units, int scale) {
    separate();
    String digits = Long.toString(units);
    int missing = scale + 1 - digits.length();
    if (missing > 0) {
      digits = "0".repeat(missing) + digits;
    }
    int point = digits.length() - scale;
    pending.append(digits, 0, point);
    if (scale > 0) {
      pending.append('.').append(digits, point, digits.length());
    }
    return done();
  }

  /** Hands all of the text to the target. */
  public void finish() {
    flush(Objects.requireNonNull(out, "a text without a target is read with toString"));
  }

  /** The text so far that was not handed to a target. */
  @Override
  public String toString() {
    return pending.toString();
  }

  private void separate() {
    if (needsComma) {
      pending.append(needsLine ? "," : ", ");
    }
    if (needsLine) {
      pending.append('\n');
    }
    needsComma = false;
    needsLine = false;
  }

  private JsonText done() {
    needsComma = true;
    if (out != null && pending.length() >= FLUSH_CHARS) {
      flush(out);
    }
    return this;
  }

  private void flush(Appendable target) {
    try {
      target.append(pending);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    pending.setLength(0);
  }

  private void quote(String text) {
    pending.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        pending.append('\\').append(c);
      } else if (c < ' ' || c == 0x7f || c >= '\ufffe' || isLone(text, i)) {
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
