package dev.tutti.cli.terminal;

import dev.tutti.simulator.page.Html;
import java.util.ArrayList;
import java.util.List;

/** A report on an HTML page: headings, and blocks of consecutive lines. */
public final class PageReport implements ReportTarget {

  private final Html html;
  private final List<String> lines = new ArrayList<>();

  /** A report in a page. */
  public PageReport(Html html) {
    this.html = html;
  }

  @Override
  public void facts(Table table) {
    gap();
    table.addFactsTo(html);
  }

  @Override
  public void table(String title, Table table) {
    heading(title, "");
    table.addTo(html, title);
  }

  @Override
  public void heading(String name, String rest) {
    gap();
    html.element("h2", name + rest);
  }

  @Override
  public void line(String text) {
    lines.add(text);
  }

  @Override
  public void gap() {
    if (!lines.isEmpty()) {
      html.element("pre", String.join("\n", lines), "tabindex", "0", "class", "lines");
      lines.clear();
    }
  }
}
