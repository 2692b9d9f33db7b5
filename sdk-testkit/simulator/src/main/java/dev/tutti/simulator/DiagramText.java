package dev.tutti.simulator;

import dev.tutti.plan.GroupPlan;
import java.util.Comparator;
import java.util.Formatter;
import java.util.List;
import java.util.Locale;

/** Writes the lanes and arrows of a {@link Diagram} as SVG. Equal plans give equal text. */
final class DiagramText {

  private static final int WIDTH = 760;
  private static final int LEFT = 70;
  private static final int RIGHT = 20;
  private static final int TOP = 34;
  private static final int LANE = 36;
  private static final double HEAD = 7;

  /** The hue of a vector's last byte, violet; the first byte has hue 0, red. */
  private static final double HUES = 290;

  private final GroupPlan plan;
  private final List<Diagram.Arrow> arrows;
  private final boolean areNotifies;
  private final long end;
  private final Formatter svg = new Formatter(Locale.ROOT);

  DiagramText(GroupPlan plan, List<Diagram.Arrow> arrows, boolean areNotifies) {
    this.plan = plan;
    this.areNotifies = areNotifies;
    this.arrows =
        arrows.stream()
            .sorted(
                Comparator.comparingLong(Diagram.Arrow::start)
                    .thenComparingInt(Diagram.Arrow::to)
                    .thenComparingInt(Diagram.Arrow::from)
                    .thenComparingDouble(Diagram.Arrow::place))
            .toList();
    this.end = Math.max(1, arrows.stream().mapToLong(Diagram.Arrow::end).max().orElse(1));
  }

  @Override
  public String toString() {
    int height = TOP + plan.rankSize() * LANE + 14;
    svg.format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\""
            + " height=\"%d\" font-family=\"sans-serif\" font-size=\"12\">\n",
        WIDTH, height, WIDTH, height);
    svg.format("<rect width=\"%d\" height=\"%d\" fill=\"white\"/>\n", WIDTH, height);
    svg.format(
        "<text x=\"%d\" y=\"16\">%s, %d ranks: %d %s</text>\n",
        LEFT,
        escaped(plan.name()),
        plan.rankSize(),
        arrows.size(),
        areNotifies ? "notifies" : arrows.size() == 1 ? "message" : "messages");
    for (int rank = 0; rank < plan.rankSize(); rank++) {
      svg.format("<text x=\"12\" y=\"%.1f\">rank %d</text>\n", y(rank) + 4, rank);
      svg.format(
          "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" stroke=\"#ddd\"/>\n",
          LEFT, y(rank), WIDTH - RIGHT, y(rank));
    }
    arrows.forEach(this::addArrow);
    svg.format("</svg>\n");
    return svg.toString();
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }

  private static double y(int rank) {
    return TOP + (rank + 0.5) * LANE;
  }

  private double x(long time) {
    return LEFT + (double) time / end * (WIDTH - LEFT - RIGHT - HEAD);
  }

  private void addArrow(Diagram.Arrow arrow) {
    double x1 = x(arrow.start());
    double y1 = y(arrow.from());
    double x2 = x(arrow.end());
    double y2 = y(arrow.to());
    double length = Math.hypot(x2 - x1, y2 - y1);
    double unitX = (x2 - x1) / length;
    double unitY = (y2 - y1) / length;
    String colour =
        areNotifies
            ? "#777"
            : String.format(Locale.ROOT, "hsl(%.0f 75%% 42%%)", arrow.place() * HUES);
    svg.format(
        "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\" stroke-width=\"1.5\"/>\n",
        x1, y1, x2 - HEAD * unitX, y2 - HEAD * unitY, colour);
    if (arrow.reduces()) {
      svg.format(
          "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3.2\" fill=\"white\" stroke=\"%s\""
              + " stroke-width=\"1.5\"/>\n",
          x2 - HEAD / 2 * unitX, y2 - HEAD / 2 * unitY, colour);
    } else {
      double backX = x2 - HEAD * unitX;
      double backY = y2 - HEAD * unitY;
      svg.format(
          "<polygon points=\"%.1f,%.1f %.1f,%.1f %.1f,%.1f\" fill=\"%s\"/>\n",
          x2,
          y2,
          backX - 3 * unitY,
          backY + 3 * unitX,
          backX + 3 * unitY,
          backY - 3 * unitX,
          colour);
    }
  }
}
