package dev.tutti.sdk.resource;

import dev.tutti.sdk.Names;
import java.util.Locale;

/**
 * The kinds of memory a rank has. The set is open: a {@code switch} in plugin code needs a {@code
 * default}.
 */
public enum TransportMemType {
  /** The group's staging buffer for inputs; its contents do not outlive an operation. */
  CCL_INPUT,
  /** The group's staging buffer for outputs; its contents do not outlive an operation. */
  CCL_OUTPUT,
  /** The caller's input; never written unless it is the output too. */
  PARAM_INPUT,
  /** The caller's output. */
  PARAM_OUTPUT,
  /** Scratch of one run; undefined at its start. */
  SCRATCH,
  /** Memory that every peer may load and store, for inputs; undefined at the start of a run. */
  AIV_INPUT,
  /** Memory that every peer may load and store, for outputs; undefined at the start of a run. */
  AIV_OUTPUT;

  /** The stable name, for example {@code "ccl-input"}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * The kind of a stable name.
   *
   * @throws dev.tutti.sdk.TuttiException with code UNKNOWN_NAME, suggesting the nearest name
   */
  public static TransportMemType fromLabel(String label) {
    for (TransportMemType type : values()) {
      if (type.label().equals(label)) {
        return type;
      }
    }
    throw Names.unknown("memory kind", label, values(), TransportMemType::label);
  }
}
