package dev.tutti.cli.terminal;

/** Where a report is shown: in the terminal, or on a page. */
public interface ReportTarget {

  /** Facts: a table of two columns, whose left cells are the headings of their rows. */
  void facts(Table table);

  /**
   * A table.
   *
   * @param title what it lists; the terminal shows it without
   */
  void table(String title, Table table);

  /**
   * Prints the first line of a part.
   *
   * @param name the subject of the part
   * @param rest the rest of the line
   */
  void heading(String name, String rest);

  /** A line below a heading. */
  void line(String text);

  /** Sets off what follows. */
  void gap();
}
