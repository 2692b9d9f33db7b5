package dev.tutti.cli.terminal;

import dev.tutti.base.text.Sentence;

/** One line about long work, rewritten in place; nothing at all unless somebody watches. */
public final class ProgressLine implements AutoCloseable {

  private static final int BAR = 24;

  private final Terminal terminal;
  private final boolean isShown;

  public ProgressLine(Terminal terminal, boolean isWanted) {
    this.terminal = terminal;
    this.isShown = isWanted && terminal.showsProgress();
  }

  public void show(String text) {
    print(terminal.order(Terminal.ERASE_LINE) + text);
  }

  /** Shows a bar, how much is done, and what is under way. */
  public void show(int done, int all, String text) {
    int filled = (int) ((long) BAR * done / all);
    String bar = "#".repeat(filled) + ".".repeat(BAR - filled);
    show(Sentence.of("[%s] %d of %d: %s", bar, done + 1, all, text));
  }

  /** Before a line of results. */
  public void clear() {
    print(terminal.order(Terminal.ERASE_LINE));
  }

  private void print(String text) {
    if (isShown) {
      terminal.err().print(text);
      terminal.err().flush();
    }
  }

  @Override
  public void close() {
    clear();
  }
}
