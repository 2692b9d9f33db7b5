package dev.tutti.cli.options;

import dev.tutti.sdk.Names;
import java.util.List;
import java.util.Locale;

/** Whether input and output are one memory. */
public enum Placement {
  OUT,
  IN,
  BOTH;

  /** In place or not, in the order in which they are measured. */
  public List<Boolean> forms() {
    return switch (this) {
      case OUT -> List.of(false);
      case IN -> List.of(true);
      case BOTH -> List.of(false, true);
    };
  }

  public static Placement fromLabel(String text) {
    for (Placement place : values()) {
      if (place.label().equalsIgnoreCase(text)) {
        return place;
      }
    }
    throw Names.unknown("place", text, values(), Placement::label);
  }

  private String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  @Override
  public String toString() {
    return label();
  }
}
