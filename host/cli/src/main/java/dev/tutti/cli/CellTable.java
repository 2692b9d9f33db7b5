package dev.tutti.cli;

import java.util.stream.Stream;

/** A table of measured requests: each row begins with its request. */
final class CellTable {

  private final Table table;

  /**
   * A table.
   *
   * @param headings of the columns behind the request, as {@link Table} takes them
   */
  CellTable(String... headings) {
    Stream<String> request = Stream.of("operation", ">ranks", "place", ">size");
    table = new Table(Stream.concat(request, Stream.of(headings)).toArray(String[]::new));
  }

  /** Adds a request and what is behind it. */
  void row(Cell cell, Object... cells) {
    Stream<Object> request =
        Stream.of(
            cell.name().label(),
            cell.topology().rankSize(),
            cell.isInPlace() ? "in" : "out",
            Sizes.bytes(cell.bytes()));
    table.row(Stream.concat(request, Stream.of(cells)).toArray());
  }

  void print(Terminal terminal) {
    table.print(terminal);
  }

  /** The begin of a line about a request. */
  static JsonLine json(Cell cell) {
    return new JsonLine()
        .put("operation", cell.name().label())
        .put("ranks", cell.topology().rankSize())
        .put("inPlace", cell.isInPlace())
        .put("bytes", cell.bytes());
  }
}
