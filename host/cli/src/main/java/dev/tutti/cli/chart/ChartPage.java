package dev.tutti.cli.chart;

import dev.tutti.cli.terminal.JsonLine;
import dev.tutti.cli.terminal.OutputFile;
import dev.tutti.cli.terminal.TuttiVersion;
import dev.tutti.simulator.page.Html;
import dev.tutti.simulator.page.HtmlPage;
import dev.tutti.simulator.page.PageScript;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Measurements as a page: charts, the map of winners, and all rows as a table. Nothing is written
 * before the end. Not thread-safe.
 */
public final class ChartPage {

  private final String title;
  private final @Nullable Path path;
  private final List<ChartPoint> points = new ArrayList<>();
  private final List<ChartPoint> beside = new ArrayList<>();
  private final List<Map<String, String>> rows = new ArrayList<>();

  /**
   * Makes a page.
   *
   * @param path its file; null for none
   * @throws dev.tutti.sdk.TuttiException with {@link dev.tutti.sdk.ErrorCode#OUTPUT_UNWRITABLE} if
   *     it cannot be written
   */
  ChartPage(String title, @Nullable Path path) {
    this.title = title;
    this.path = path;
    if (path != null) {
      OutputFile.requireReplaceable(path, "page");
    }
  }

  /** Adds a point. */
  public void add(ChartPoint point) {
    points.add(point);
  }

  /** Adds a row of the table. */
  public void add(JsonLine row) {
    rows.add(row.cells());
  }

  /** Adds a point of other measurements. */
  void addBeside(ChartPoint point) {
    beside.add(point);
  }

  /** The file of the page; empty if there is none. */
  public Stream<Path> path() {
    return Stream.ofNullable(path);
  }

  /** Writes the page, and replaces an old one. Writes nothing if there are no points. */
  public void write() {
    if (path != null && !points.isEmpty()) {
      String page = html();
      OutputFile.replace("--html", path, file -> file.print(page));
    }
  }

  private String html() {
    HtmlPage page = new HtmlPage(title);
    page.body().element("p", TuttiVersion.line(), "class", "muted");
    page.drawing("charts", PageScript.CHARTS, json(), "Charts of all measurements");
    addTable(page.body());
    return page.toString();
  }

  private String json() {
    List<JsonLine> lines = new ArrayList<>();
    Set<String> measured = new LinkedHashSet<>();
    points.forEach(point -> measured.add(chartOf(point)));
    points.forEach(point -> lines.add(line(point, false)));
    beside.stream()
        .filter(point -> measured.contains(chartOf(point)))
        .forEach(point -> lines.add(line(point, true)));
    return new JsonLine().putLines("points", lines).toString();
  }

  private static String chartOf(ChartPoint point) {
    return point.operation().label() + point.isInPlace() + point.ranks();
  }

  private static JsonLine line(ChartPoint point, boolean isBeside) {
    return new JsonLine()
        .put("operation", point.operation().label())
        .put("place", point.isInPlace() ? "in place" : "out of place")
        .put("ranks", point.ranks())
        .put("algorithm", point.algorithm())
        .put("beside", isBeside)
        .put("hop", point.hopNanos())
        .put("bytes", point.bytes())
        .put("micros", point.micros())
        .put("leastMicros", point.leastMicros())
        .put("mostMicros", point.mostMicros())
        .put("busbw", point.busBandwidth(point.micros()))
        .put("leastBusbw", point.busBandwidth(point.mostMicros()))
        .put("mostBusbw", point.busBandwidth(point.leastMicros()));
  }

  private void addTable(Html html) {
    Set<String> headings = new LinkedHashSet<>();
    rows.forEach(row -> headings.addAll(row.keySet()));
    html.open("details").element("summary", "All that was measured");
    html.openTable("All that was measured", headings);
    for (Map<String, String> row : rows) {
      html.open("tr");
      headings.forEach(heading -> html.element("td", row.getOrDefault(heading, "")));
      html.closeLine();
    }
    html.closeTable().closeLine();
  }
}
