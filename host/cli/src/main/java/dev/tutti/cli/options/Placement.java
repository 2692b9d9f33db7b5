package dev.tutti.cli.options;

import dev.tutti.sdk.Names;
import java.util.List;
import java.util.Locale;

/** Whether input and output are the same memory. */
public enum Placement {
  OUT,
  IN,
  BOTH;

  /** The forms, in place or not, in the order of their measurement. */
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
