package dev.tutti.cli.terminal;

/** The output of a report that is no JSON: the terminal, or a page. */
public interface ReportTarget {

  /** A table. */
  void table(Table table);

  /**
   * A line that begins something.
   *
   * @param name what it is about
   * @param rest what the line says of it
   */
  void heading(String name, String rest);

  /** A line below a heading. */
  void line(String text);

  /** Sets off what follows. */
  void gap();
}
