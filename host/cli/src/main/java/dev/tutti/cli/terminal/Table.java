package dev.tutti.cli.terminal;

import dev.tutti.base.text.ControlCharacters;
import dev.tutti.simulator.page.Html;
import java.util.ArrayList;
import java.util.List;

/** Text in columns that are as wide as their widest cell, two spaces apart. */
public final class Table {

  private static final String GAP = "  ";

  private final boolean[] isRightAligned;
  private final List<List<String>> rows = new ArrayList<>();

  /**
   * A table.
   *
   * @param headings one for each column; a leading {@code '>'} aligns the column to the right
   */
  public Table(String... headings) {
    isRightAligned = new boolean[headings.length];
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < headings.length; i++) {
      isRightAligned[i] = headings[i].startsWith(">");
      texts.add(isRightAligned[i] ? headings[i].substring(1) : headings[i]);
    }
    rows.add(texts);
  }

  public Table row(Object... cells) {
    List<String> texts = new ArrayList<>();
    for (Object cell : cells) {
      texts.add(ControlCharacters.onOneLine(cell.toString()));
    }
    rows.add(texts);
    return this;
  }

  /** The same without a column. */
  public Table without(String heading) {
    int left = rows.getFirst().indexOf(heading);
    List<String> headings = headings();
    headings.remove(left);
    Table table = new Table(headings.toArray(String[]::new));
    for (List<String> row : rows.subList(1, rows.size())) {
      List<String> cells = new ArrayList<>(row);
      cells.remove(left);
      table.rows.add(cells);
    }
    return table;
  }

  /** The lines, the headings first. */
  public List<String> lines() {
    int[] widths = new int[isRightAligned.length];
    for (List<String> row : rows) {
      for (int i = 0; i < row.size(); i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    return rows.stream().map(row -> line(row, widths, isRightAligned)).toList();
  }

  /** One line of a table whose widths are known before its rows. */
  public static String line(List<String> cells, int[] widths, boolean[] isRightAligned) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < cells.size(); i++) {
      String padding = " ".repeat(Math.max(0, widths[i] - cells.get(i).length()));
      line.append(i == 0 ? "" : GAP)
          .append(isRightAligned[i] ? padding + cells.get(i) : cells.get(i) + padding);
    }
    return line.toString().stripTrailing();
  }

  /** Adds the table to a page. On a narrow screen, the cells of a row are one below another. */
  void addTo(Html html, String label) {
    html.openTable(label, headings(), "stacks");
    List<String> names = rows.getFirst();
    for (List<String> row : rows.subList(1, rows.size())) {
      html.open("tr");
      for (int i = 0; i < row.size(); i++) {
        String kind = isRightAligned[i] ? "number" : null;
        html.element("td", row.get(i), "class", kind, "data-of", names.get(i));
      }
      html.closeLine();
    }
    html.closeTable();
  }

  /** Adds the table to a page; the left cell of each row is its heading. */
  void addFactsTo(Html html) {
    html.open("table");
    for (List<String> row : rows) {
      html.open("tr").element("th", row.get(0), "scope", "row").element("td", row.get(1));
      html.closeLine();
    }
    html.closeLine();
  }

  /** The headings in the constructor's format. */
  private List<String> headings() {
    List<String> headings = new ArrayList<>();
    for (int i = 0; i < isRightAligned.length; i++) {
      headings.add((isRightAligned[i] ? ">" : "") + rows.getFirst().get(i));
    }
    return headings;
  }

  /** Prints all lines, the headings in bold. */
  public void print(Terminal terminal) {
    List<String> lines = lines();
    terminal.out().println(terminal.bold(lines.getFirst()));
    lines.stream().skip(1).forEach(terminal.out()::println);
  }
}
