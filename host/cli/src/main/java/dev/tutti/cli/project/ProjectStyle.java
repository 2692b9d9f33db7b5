package dev.tutti.cli.project;

import dev.tutti.sdk.Names;
import java.util.Locale;

/** The style of the algorithm in a new project. */
public enum ProjectStyle {
  /** The code emits every step itself. */
  EXPLICIT,
  /** The code combines templates, which become part of the jar. */
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
