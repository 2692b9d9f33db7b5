package dev.tutti.cli.terminal;

import dev.tutti.base.text.ControlCharacters;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;

/**
 * Escapes control characters instead of sending them to a terminal, because text may come from a
 * jar. A secret word, which no other code can know, marks the control sequences of the command line
 * itself.
 */
final class EscapingWriter extends Writer {

  /** A Unicode noncharacter, so that no text contains it. */
  static final char MARK = '\ufdd0';

  /** Ends a control sequence for the terminal. */
  static final char END = ';';

  private final PrintWriter target;
  private final String mark;
  private final Runnable before;

  /**
   * A writer.
   *
   * @param mark begins a control sequence for the terminal
   * @param before called before each text
   */
  EscapingWriter(PrintWriter target, String mark, Runnable before) {
    this.target = target;
    this.mark = mark;
    this.before = before;
  }

  @Override
  public void write(char[] characters, int offset, int length) {
    write(new String(characters, offset, length), 0, length);
  }

  @Override
  public void write(String text, int offset, int length) {
    before.run();
    int end = offset + length;
    int from = offset;
    for (int at = offset; at < end; at++) {
      char c = text.charAt(at);
      boolean isEndOfLine = c == '\r' && at + 1 < end && text.charAt(at + 1) == '\n';
      if (isEndOfLine || (c != MARK && !ControlCharacters.isOne(c))) {
        continue;
      }
      target.write(text, from, at - from);
      if (text.startsWith(mark, at)) {
        int stop = text.indexOf(END, at);
        target.write(sequence(text.substring(at + mark.length(), stop)));
        at = stop;
      } else {
        target.write(ControlCharacters.escaped(c));
      }
      from = at + 1;
    }
    target.write(text, from, end - from);
  }

  private static String sequence(String order) {
    return switch (order) {
      case Terminal.ERASE_LINE -> "\r\u001b[K";
      case Terminal.CUT_LINES -> "\u001b[" + order;
      // A reader of lines also gets the end of this one.
      case Terminal.WRAP_LINES -> "\u001b[" + order + "\r";
      default -> "\u001b[" + order + "m";
    };
  }

  @Override
  public void flush() throws IOException {
    if (target.checkError()) {
      throw new IOException("the output cannot be written");
    }
  }

  @Override
  public void close() throws IOException {
    flush();
  }
}
