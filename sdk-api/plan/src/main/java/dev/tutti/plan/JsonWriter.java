package dev.tutti.plan;

import java.io.IOException;

/**
 * Writes JSON, with line breaks where the caller wants them. Text that leaves the writer is valid
 * in every Unicode encoding: control characters and lone surrogates are escaped. Not thread-safe.
 */
final class JsonWriter {

  private static final int FLUSH_CHARS = 1 << 13;

  private final Appendable out;
  private final StringBuilder pending = new StringBuilder(FLUSH_CHARS + 1024);
  private boolean needsComma;

  JsonWriter(Appendable out) {
    this.out = out;
  }

  /** Opens an object or an array. */
  JsonWriter open(char bracket) {
    separate();
    pending.append(bracket);
    return this;
  }

  /** Closes an object or an array on the same line. */
  JsonWriter close(char bracket) throws IOException {
    pending.append(bracket);
    return done();
  }

  /** Closes an object or an array on a line of its own. */
  JsonWriter close(char bracket, int indent) throws IOException {
    breakLine(indent);
    return close(bracket);
  }

  /** Puts what follows on a new line. */
  JsonWriter line(int indent) {
    if (needsComma) {
      pending.append(',');
    }
    needsComma = false;
    breakLine(indent);
    return this;
  }

  JsonWriter name(String name) {
    separate();
    quote(name);
    pending.append(": ");
    return this;
  }

  JsonWriter value(String text) throws IOException {
    separate();
    quote(text);
    return done();
  }

  JsonWriter value(long number) throws IOException {
    separate();
    pending.append(number);
    return done();
  }

  JsonWriter value(boolean flag) throws IOException {
    separate();
    pending.append(flag);
    return done();
  }

  /** Ends the text with a line feed and hands all of it to the target. */
  void finish() throws IOException {
    pending.append('\n');
    flush();
  }

  private void separate() {
    if (needsComma) {
      pending.append(", ");
    }
    needsComma = false;
  }

  private JsonWriter done() throws IOException {
    needsComma = true;
    if (pending.length() >= FLUSH_CHARS) {
      flush();
    }
    return this;
  }

  private void flush() throws IOException {
    out.append(pending);
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
