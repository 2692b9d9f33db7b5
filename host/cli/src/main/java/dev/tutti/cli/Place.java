package dev.tutti.cli;

import dev.tutti.sdk.Names;
import java.util.List;
import java.util.Locale;

/** Whether input and output are one memory. */
enum Place {
  OUT,
  IN,
  BOTH;

  /** In place or not, in the order in which they are measured. */
  List<Boolean> forms() {
    return switch (this) {
      case OUT -> List.of(false);
      case IN -> List.of(true);
      case BOTH -> List.of(false, true);
    };
  }

  static Place fromLabel(String text) {
    for (Place place : values()) {
      if (place.label().equalsIgnoreCase(text)) {
        return place;
      }
    }
    throw Names.unknown("place", text, values(), Place::label);
  }

  private String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
