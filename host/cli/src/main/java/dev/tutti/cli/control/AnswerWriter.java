package dev.tutti.cli.control;

import java.io.Writer;
import java.util.function.Consumer;

/**
 * Sends printed text in pieces: a line, or the text up to a flush. It never splits a character or a
 * control sequence of a terminal.
 */
final class AnswerWriter extends Writer {

  private static final int MAX_PIECE = 8 << 10;
  private static final int LONGEST_ORDER = 5;

  private final Consumer<String> pieces;
  private final StringBuilder text = new StringBuilder();

  AnswerWriter(Consumer<String> pieces) {
    this.pieces = pieces;
  }

  @Override
  public void write(char[] characters, int offset, int length) {
    int end = offset + length;
    for (int from = offset; from < end; ) {
      int taken = Math.min(end - from, MAX_PIECE - text.length());
      text.append(characters, from, taken);
      from += taken;
      if (text.length() == MAX_PIECE) {
        sendPiece();
      }
    }
  }

  private void sendPiece() {
    int order = text.lastIndexOf("\u001b");
    int begin = order > 0 && text.charAt(order - 1) == '\r' ? order - 1 : order;
    if (begin < MAX_PIECE - LONGEST_ORDER) {
      flush();
      return;
    }
    String tail = text.substring(begin);
    text.setLength(begin);
    flush();
    text.append(tail);
  }

  @Override
  public void flush() {
    int length = text.length();
    boolean isSplit = length > 0 && Character.isHighSurrogate(text.charAt(length - 1));
    int whole = isSplit ? length - 1 : length;
    if (whole > 0) {
      String piece = text.substring(0, whole);
      text.delete(0, whole);
      pieces.accept(piece);
    }
  }

  @Override
  public void close() {
    flush();
  }
}
