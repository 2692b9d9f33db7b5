package dev.tutti.cli.terminal;

/** The target of a report: the terminal or a page. */
public interface ReportTarget {

  /** Prints facts: a table of two columns, whose left cells are the headings of their rows. */
  void facts(Table table);

  /**
   * Prints a table.
   *
   * @param title the contents of the table; the terminal does not show it
   */
  void table(String title, Table table);

  /**
   * Prints the first line of a part.
   *
   * @param name the subject of the part
   * @param rest the rest of the line
   */
  void heading(String name, String rest);

  /** Prints a line below a heading. */
  void line(String text);

  /** Prints a gap before the next part. */
  void gap();
}
