package dev.tutti.cli.terminal;

/** A report on the terminal: headings in bold, empty lines between its parts. */
public final class TerminalReport implements ReportTarget {

  private final Terminal terminal;

  /** A report on a terminal. */
  public TerminalReport(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public void facts(Table table) {
    table.print(terminal);
  }

  @Override
  public void table(String title, Table table) {
    table.print(terminal);
  }

  @Override
  public void heading(String name, String rest) {
    terminal.out().println(terminal.bold(name) + rest);
  }

  @Override
  public void line(String text) {
    terminal.out().println(text);
  }

  @Override
  public void gap() {
    terminal.out().println();
  }
}
