package dev.tutti.cli.tune;

import dev.tutti.cli.options.Sizes;
import dev.tutti.cli.terminal.JsonLine;
import dev.tutti.cli.terminal.Table;
import dev.tutti.cli.terminal.Terminal;
import java.util.stream.Stream;

/** A table of measured requests: each row begins with its request. */
final class SweepTable {

  private final Table table;

  /**
   * Makes a table.
   *
   * @param headings the headings of the columns after the request, in the format of {@link Table}
   */
  SweepTable(String... headings) {
    Stream<String> request = Stream.of("operation", ">ranks", "place", ">size");
    table = new Table(Stream.concat(request, Stream.of(headings)).toArray(String[]::new));
  }

  /** Adds a request and the cells after it. */
  void row(SweepPoint cell, Object... cells) {
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

  /** The beginning of a line about a request. */
  static JsonLine json(SweepPoint cell) {
    return new JsonLine()
        .put("operation", cell.name().label())
        .put("ranks", cell.topology().rankSize())
        .put("inPlace", cell.isInPlace())
        .put("bytes", cell.bytes());
  }
}
