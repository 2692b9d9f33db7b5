package dev.tutti.cli.chart;

import dev.tutti.cli.options.Sizes;
import dev.tutti.simulator.page.Html;
import dev.tutti.simulator.page.SvgFile;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A table of the fastest algorithms: a row for each operation, place and number of ranks, and a
 * column for each size. Each algorithm has a colour, and its name is in the cell.
 */
final class FastestPicture {

  private static final int MARGIN = 12;
  private static final int HEAD = 60;
  private static final int ROW = 26;
  private static final int FOOT = 30;
  private static final double LETTER = 6.8;

  private final String title;
  private final Map<String, SortedMap<Long, Winner>> rows = new LinkedHashMap<>();
  private final SortedSet<Long> sizes = new TreeSet<>();
  private final List<String> names;

  /**
   * The fastest algorithm of a cell.
   *
   * @param isTie whether its range overlaps that of the next one
   */
  private record Winner(String algorithm, boolean isTie) {

    static Winner of(List<ChartPoint> cell) {
      List<ChartPoint> measured =
          cell.stream().sorted(Comparator.comparingDouble(ChartPoint::micros)).toList();
      ChartPoint best = measured.getFirst();
      return new Winner(
          best.algorithm(),
          measured.size() > 1 && measured.get(1).leastMicros() <= best.mostMicros());
    }

    @Override
    public String toString() {
      return algorithm + (isTie ? " ≈" : "");
    }
  }

  FastestPicture(String title, List<ChartPoint> points) {
    this.title = title;
    Map<String, Map<Long, List<ChartPoint>>> cells =
        points.stream()
            .collect(
                Collectors.groupingBy(
                    ChartPoint::group,
                    LinkedHashMap::new,
                    Collectors.groupingBy(ChartPoint::bytes)));
    cells.forEach(
        (group, row) -> {
          SortedMap<Long, Winner> winners = new TreeMap<>();
          row.forEach((bytes, cell) -> winners.put(bytes, Winner.of(cell)));
          rows.put(group, winners);
          sizes.addAll(row.keySet());
        });
    names =
        rows.values().stream()
            .flatMap(row -> row.values().stream())
            .map(Winner::algorithm)
            .distinct()
            .sorted()
            .toList();
  }

  String draw() {
    int left = MARGIN + width(rows.keySet()) + MARGIN;
    List<Winner> winners = rows.values().stream().flatMap(row -> row.values().stream()).toList();
    List<String> shown = new ArrayList<>(winners.stream().map(Winner::toString).toList());
    sizes.forEach(size -> shown.add(Sizes.bytes(size)));
    int column = width(shown) + 16;
    boolean hasTie = winners.stream().anyMatch(Winner::isTie);
    int width =
        Math.max(left + sizes.size() * column, width(List.of(title)) * 4 / 3 + MARGIN) + MARGIN;
    int height = HEAD + rows.size() * ROW + (hasTie ? FOOT : MARGIN);
    SvgFile svg = new SvgFile(width, height, title, description());
    Html body = svg.body();
    text(body, MARGIN, 24, title, "title", "start");
    int x = left;
    for (long size : sizes) {
      text(body, x + column / 2, HEAD - 8, Sizes.bytes(size), null, "middle");
      x += column;
    }
    int y = HEAD;
    for (Map.Entry<String, SortedMap<Long, Winner>> row : rows.entrySet()) {
      text(body, MARGIN, y + 17, row.getKey(), null, "start");
      drawRow(body, left, y, column, row.getValue());
      y += ROW;
    }
    if (hasTie) {
      String note = "≈: the range of the fastest overlaps that of the next one";
      text(body, MARGIN, y + 20, note, null, "start");
    }
    return svg.toString();
  }

  private void drawRow(Html body, int left, int y, int column, Map<Long, Winner> row) {
    int x = left;
    for (long size : sizes) {
      Winner winner = row.get(size);
      if (winner == null) {
        text(body, x + column / 2, y + 17, "–", null, "middle");
      } else {
        String colour = SvgFile.colour(names.indexOf(winner.algorithm()));
        body.open(
                "rect",
                "class",
                "dot " + colour,
                "x",
                Integer.toString(x + 1),
                "y",
                Integer.toString(y + 1),
                "width",
                Integer.toString(column - 2),
                "height",
                Integer.toString(ROW - 2),
                "rx",
                "3")
            .closeLine();
        text(body, x + column / 2, y + 17, winner.toString(), "on", "middle");
      }
      x += column;
    }
  }

  private static void text(
      Html body, int x, int y, String text, @Nullable String style, String anchor) {
    body.element(
        "text",
        text,
        "x",
        Integer.toString(x),
        "y",
        Integer.toString(y),
        "class",
        style,
        "text-anchor",
        anchor);
  }

  private static int width(Iterable<String> texts) {
    int letters = 0;
    for (String text : texts) {
      letters = Math.max(letters, text.length());
    }
    return (int) Math.ceil(letters * LETTER);
  }

  private String description() {
    List<String> sentences = new ArrayList<>();
    rows.forEach(
        (group, row) ->
            sentences.add(
                group
                    + ": "
                    + row.entrySet().stream()
                        .map(cell -> cell.getValue() + " at " + Sizes.bytes(cell.getKey()))
                        .collect(Collectors.joining(", "))
                    + "."));
    return String.join(" ", sentences);
  }
}
