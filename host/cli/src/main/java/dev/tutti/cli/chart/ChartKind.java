package dev.tutti.cli.chart;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.Names;
import dev.tutti.sdk.TuttiException;
import java.util.List;
import java.util.Locale;

/** The kind of a picture of measurements. */
public enum ChartKind {
  /** The bus bandwidth over size. */
  BUSBW("Bus bandwidth over size"),
  /** The median time over size. */
  TIME("Time over size"),
  /** The name of the fastest algorithm at each size and number of ranks. */
  FASTEST("The fastest algorithm at each size and number of ranks");

  private final String title;

  ChartKind(String title) {
    this.title = title;
  }

  /** The kind with a name; letter case does not matter. */
  public static ChartKind fromLabel(String text) {
    for (ChartKind kind : values()) {
      if (kind.label().equalsIgnoreCase(text)) {
        return kind;
      }
    }
    throw Names.unknown("chart", text, values(), ChartKind::label);
  }

  private String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  @Override
  public String toString() {
    return label();
  }

  /** The default title of a picture. */
  public String title() {
    return title;
  }

  /**
   * Draws a picture.
   *
   * @param points the measured points; the same points in the same order give the same text
   * @return the text of an SVG file
   * @throws TuttiException with {@link ErrorCode#INVALID_ARGUMENT} if nothing can be drawn
   */
  public String draw(String heading, List<ChartPoint> points) {
    if (this == FASTEST) {
      return new FastestPicture(heading, points).draw();
    }
    List<ChartPoint> drawn = points.stream().filter(point -> value(point) > 0).toList();
    if (drawn.isEmpty()) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT,
          this == TIME
              ? "no time is above 0, so there is nothing to draw"
              : "no row has bytes and a time above 0, so there is no bandwidth to draw; use --show"
                  + " time");
    }
    return new LinesPicture(this, heading, drawn).draw();
  }

  /** The value at the median time, in the unit of the picture. */
  double value(ChartPoint point) {
    return at(point, point.micros());
  }

  /** The smallest value of a point's range. */
  double least(ChartPoint point) {
    return at(point, this == BUSBW ? point.mostMicros() : point.leastMicros());
  }

  /** The largest value of a point's range. */
  double most(ChartPoint point) {
    return at(point, this == BUSBW ? point.leastMicros() : point.mostMicros());
  }

  private double at(ChartPoint point, double micros) {
    return this == BUSBW ? point.busBandwidth(micros) : micros;
  }

  String unit() {
    return this == BUSBW ? "GB/s" : "µs";
  }
}
