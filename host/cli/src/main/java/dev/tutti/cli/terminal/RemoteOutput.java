package dev.tutti.cli.terminal;

import java.io.PrintWriter;
import java.io.Writer;
import java.util.regex.Pattern;

/**
 * Prints the text that a host sends, and passes on only the control sequences that Tutti itself
 * uses.
 */
public final class RemoteOutput extends Writer {

  private static final Pattern STYLE = Pattern.compile("\u001b\\[(0|1|31|32)m");
  private static final Pattern WRAPPING = Pattern.compile("\u001b\\[(\\?7l|\\?7h(?=\r))\r?");
  private static final String ERASE_LINE = "\r\u001b[K";

  private final Terminal terminal;
  private final PrintWriter target;

  /**
   * An output.
   *
   * @param target one of the terminal's writers
   */
  public RemoteOutput(Terminal terminal, PrintWriter target) {
    this.terminal = terminal;
    this.target = target;
  }

  @Override
  public void write(char[] characters, int offset, int length) {
    String text = new String(characters, offset, length);
    if (terminal.hasColours()) {
      text = STYLE.matcher(text).replaceAll(match -> terminal.order(match.group(1)));
    }
    if (terminal.showsProgress()) {
      text = text.replace(ERASE_LINE, terminal.order(Terminal.ERASE_LINE));
      text = WRAPPING.matcher(text).replaceAll(match -> terminal.order(match.group(1)));
    }
    target.write(text);
  }

  @Override
  public void flush() {
    target.flush();
  }

  @Override
  public void close() {
    flush();
  }
}
