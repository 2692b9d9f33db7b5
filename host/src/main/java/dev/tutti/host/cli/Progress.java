package dev.tutti.host.cli;

/** One line about long work, rewritten in place; nothing at all unless somebody watches. */
final class Progress implements AutoCloseable {

  private static final String ERASE_LINE = "\r\u001b[K";

  private final Terminal terminal;
  private final boolean isShown;

  Progress(Terminal terminal, boolean isWanted) {
    this.terminal = terminal;
    this.isShown = isWanted && terminal.showsProgress();
  }

  void show(String text) {
    print(ERASE_LINE + text);
  }

  /** Before a line of results. */
  void clear() {
    print(ERASE_LINE);
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
