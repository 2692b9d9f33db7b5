package dev.tutti.cli.project;

import dev.tutti.sdk.Names;
import java.util.Locale;

/** How the algorithm of a new project is written. */
public enum ProjectStyle {
  /** It emits every step itself. */
  EXPLICIT,
  /** It combines ready pieces, which become part of the jar. */
  TEMPLATE;

  public static ProjectStyle fromLabel(String text) {
    for (ProjectStyle style : values()) {
      if (style.label().equalsIgnoreCase(text)) {
        return style;
      }
    }
    throw Names.unknown("style", text, values(), ProjectStyle::label);
  }

  String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  @Override
  public String toString() {
    return label();
  }
}
