package dev.tutti.cli.show;

import dev.tutti.sdk.Names;
import java.util.Locale;

/** The output format of a plan. */
public enum PlanFormat {
  /** Tables as text. */
  TEXT,
  /** The whole plan, lossless. */
  JSON,
  /** A graph, for Graphviz. */
  DOT,
  /** A picture of the messages over time. */
  SVG;

  public static PlanFormat fromLabel(String text) {
    for (PlanFormat format : values()) {
      if (format.label().equalsIgnoreCase(text)) {
        return format;
      }
    }
    throw Names.unknown("format", text, values(), PlanFormat::label);
  }

  private String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  @Override
  public String toString() {
    return label();
  }
}
