package dev.tutti.cli.chart;

import dev.tutti.cli.options.Sizes;
import dev.tutti.cli.terminal.Text;
import dev.tutti.simulator.page.Html;
import dev.tutti.simulator.page.SvgFile;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Measurements as lines over size: a panel for each operation, place and number of ranks. All
 * panels have the same scales, which are logarithmic.
 */
final class LinesPicture {

  private static final int WIDTH = 720;
  private static final int LEFT = 56;
  private static final int RIGHT = 28;
  private static final int HEAD = 40;
  private static final int LEGEND_LINE = 22;
  private static final int PANEL = 250;
  private static final int ABOVE_PLOT = 34;
  private static final int BELOW_PLOT = 30;
  private static final int BETWEEN_SIZES = 70;
  private static final double LETTER = 6.6;

  private final ChartKind kind;
  private final String title;
  private final List<String> names;
  private final Map<String, Map<String, List<ChartPoint>>> panels = new LinkedHashMap<>();
  private final SortedSet<Long> sizes = new TreeSet<>();
  private final int bottomPower;
  private final int topPower;

  /** Makes a picture of one or more points with values above 0. */
  LinesPicture(ChartKind kind, String title, List<ChartPoint> points) {
    this.kind = kind;
    this.title = title;
    names = points.stream().map(ChartPoint::algorithm).distinct().toList();
    points.stream()
        .sorted(Comparator.comparing(ChartPoint::isInPlace).thenComparingInt(ChartPoint::ranks))
        .forEach(
            point ->
                panels
                    .computeIfAbsent(point.group(), group -> new LinkedHashMap<>())
                    .computeIfAbsent(point.algorithm(), name -> new ArrayList<>())
                    .add(point));
    panels.values().forEach(lines -> lines.values().forEach(line -> line.sort(ChartPoint.BY_SIZE)));
    points.forEach(point -> sizes.add(point.bytes()));
    double least = points.stream().mapToDouble(this::low).min().orElseThrow();
    double most = points.stream().mapToDouble(kind::most).max().orElseThrow();
    bottomPower = (int) Math.floor(Math.log10(least));
    topPower = Math.max(bottomPower + 1, (int) Math.ceil(Math.log10(most)));
  }

  /** The smallest value of a range; the value itself if the range goes down to 0. */
  private double low(ChartPoint point) {
    double least = kind.least(point);
    return least > 0 ? least : kind.value(point);
  }

  String draw() {
    Map<String, double[]> places = legend();
    double below = places.values().stream().mapToDouble(place -> place[1]).max().orElseThrow();
    int top = (int) below + LEGEND_LINE / 2;
    SvgFile svg = new SvgFile(WIDTH, top + panels.size() * PANEL, title, description());
    Html body = svg.body();
    text(body, 12, 24, title, "title", "start");
    places.forEach(
        (name, place) -> {
          int index = names.indexOf(name);
          drawLine(body, index, List.of(place, new double[] {place[0] + 24, place[1]}));
          drawMark(body, index, place[0] + 12, place[1]);
          text(body, place[0] + 30, place[1] + 4, name, null, "start");
        });
    for (Map.Entry<String, Map<String, List<ChartPoint>>> panel : panels.entrySet()) {
      drawPanel(body, top, panel.getKey(), panel.getValue());
      top += PANEL;
    }
    return svg.toString();
  }

  /** The place of each line's name, from left to right, in as many rows as necessary. */
  private Map<String, double[]> legend() {
    Map<String, double[]> places = new LinkedHashMap<>();
    double x = 12;
    double y = HEAD + LEGEND_LINE / 2.0;
    for (String name : names) {
      double width = 30 + name.length() * LETTER;
      if (x > 12 && x + width > WIDTH - 12) {
        x = 12;
        y += LEGEND_LINE;
      }
      places.put(name, new double[] {x, y});
      x += width + 20;
    }
    return places;
  }

  private void drawPanel(Html body, int top, String name, Map<String, List<ChartPoint>> lines) {
    body.open("g").text("\n");
    text(body, LEFT, top + 18, name + ", " + quantity(), "panel", "start");
    drawAxes(body, top);
    lines.forEach(
        (line, points) -> {
          int index = names.indexOf(line);
          drawBand(body, index, top, points);
          drawLine(body, index, at(top, points, kind::value));
          points.forEach(
              point -> drawMark(body, index, x(point.bytes()), y(top, kind.value(point))));
        });
    body.closeLine();
  }

  private String quantity() {
    return kind == ChartKind.BUSBW ? "busbw in GB/s over size" : "time over size";
  }

  private void drawAxes(Html body, int top) {
    double bottom = top + PANEL - BELOW_PLOT;
    body.open("g", "class", "axis").text("\n");
    double last = Double.NEGATIVE_INFINITY;
    for (long size : sizes) {
      double x = x(size);
      if (x >= last + BETWEEN_SIZES) {
        drawRule(body, x, top + ABOVE_PLOT, x, bottom);
        text(body, x, bottom + 18, Sizes.bytes(size), null, "middle");
        last = x;
      }
    }
    for (int power = bottomPower; power <= topPower; power++) {
      double y = y(top, Math.pow(10, power));
      drawRule(body, LEFT, y, WIDTH - RIGHT, y);
      text(body, LEFT - 6, y + 4, powerLabel(power), null, "end");
    }
    body.closeLine();
  }

  /** A power of ten in the unit of the axis. */
  private String powerLabel(int power) {
    if (kind == ChartKind.BUSBW) {
      return BigDecimal.ONE.scaleByPowerOfTen(power).toPlainString();
    }
    String[] units = {"ns", "µs", "ms", "s"};
    int unit = Math.clamp(Math.floorDiv(power, 3) + 1, 0, units.length - 1);
    return BigDecimal.ONE.scaleByPowerOfTen(power - 3 * (unit - 1)).toPlainString()
        + " "
        + units[unit];
  }

  private void drawBand(Html body, int index, int top, List<ChartPoint> points) {
    if (points.stream().allMatch(point -> point.leastMicros() == point.mostMicros())) {
      return;
    }
    List<double[]> edge = new ArrayList<>(at(top, points, kind::most));
    edge.addAll(at(top, points, this::low).reversed());
    body.open("path", "class", "band " + SvgFile.colour(index), "d", path(edge) + "Z").closeLine();
  }

  private static void drawLine(Html body, int index, List<double[]> places) {
    body.open("path", "class", "line " + SvgFile.colour(index), "d", path(places)).closeLine();
  }

  /**
   * Draws a mark. Lines also differ by the shapes of their marks, for readers who cannot
   * distinguish the colours.
   */
  private static void drawMark(Html body, int index, double x, double y) {
    String place = "M" + number(x) + " " + number(y);
    String shape =
        switch (index % 4) {
          case 0 -> "m-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0Z";
          case 1 -> "m-4 -4h8v8h-8Z";
          case 2 -> "m0 -5l5 9h-10Z";
          default -> "m0 -5l5 5l-5 5l-5 -5Z";
        };
    body.open("path", "class", "dot " + SvgFile.colour(index), "d", place + shape).closeLine();
  }

  private static void drawRule(Html body, double x1, double y1, double x2, double y2) {
    body.open(
            "path",
            "class",
            "rule",
            "d",
            path(List.of(new double[] {x1, y1}, new double[] {x2, y2})))
        .closeLine();
  }

  private static void text(
      Html body, double x, double y, String text, @Nullable String style, String anchor) {
    body.element(
        "text", text, "x", number(x), "y", number(y), "class", style, "text-anchor", anchor);
  }

  private static String path(List<double[]> places) {
    return places.stream()
        .map(place -> number(place[0]) + " " + number(place[1]))
        .collect(Collectors.joining("L", "M", ""));
  }

  private List<double[]> at(int top, List<ChartPoint> points, ToDoubleFunction<ChartPoint> value) {
    return points.stream()
        .map(point -> new double[] {x(point.bytes()), y(top, value.applyAsDouble(point))})
        .toList();
  }

  private double x(long bytes) {
    double first = power(sizes.first());
    double last = power(sizes.last());
    double share = first == last ? 0.5 : (power(bytes) - first) / (last - first);
    return LEFT + share * (WIDTH - LEFT - RIGHT);
  }

  private static double power(long bytes) {
    return Math.log10((double) Math.max(1, bytes));
  }

  private double y(int top, double value) {
    double share = (Math.log10(value) - bottomPower) / (topPower - bottomPower);
    return top + PANEL - BELOW_PLOT - share * (PANEL - ABOVE_PLOT - BELOW_PLOT);
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }

  private String description() {
    List<String> sentences = new ArrayList<>();
    panels.forEach(
        (panel, lines) ->
            sentences.add(
                panel
                    + ": "
                    + lines.entrySet().stream()
                        .map(line -> line.getKey() + " " + ends(line.getValue()))
                        .collect(Collectors.joining("; "))
                    + "."));
    return String.join(" ", sentences);
  }

  private String ends(List<ChartPoint> line) {
    String first = end(line.getFirst());
    return line.size() == 1 ? first : "from " + first + " to " + end(line.getLast());
  }

  private String end(ChartPoint point) {
    return Text.number(kind.value(point)) + " " + kind.unit() + " at " + Sizes.bytes(point.bytes());
  }
}
