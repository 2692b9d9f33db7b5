package dev.tutti.simulator;

import dev.tutti.sdk.Names;
import java.util.Arrays;

/** How messages share a port or an uplink. */
public enum Sharing {
  /**
   * A port serves one message after another, in the order of their requests. Only the ports of the
   * ranks are contended.
   */
  NONE("none"),
  /**
   * Messages share ports, uplinks and the core at the same time, max-min fair: a message could get
   * more only at the expense of a message with the same share or a smaller one.
   */
  MAX_MIN("max-min");

  private final String label;

  Sharing(String label) {
    this.label = label;
  }

  /** The stable name, for example {@code "max-min"}. */
  public String label() {
    return label;
  }

  /**
   * The sharing of a stable name.
   *
   * @throws dev.tutti.sdk.TuttiException with code UNKNOWN_NAME, suggesting the nearest name
   */
  public static Sharing fromLabel(String label) {
    return Arrays.stream(values())
        .filter(sharing -> sharing.label.equals(label))
        .findFirst()
        .orElseThrow(() -> Names.unknown("sharing", label, values(), Sharing::label));
  }
}
