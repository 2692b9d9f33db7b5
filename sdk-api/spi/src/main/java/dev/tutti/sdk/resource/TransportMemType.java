package dev.tutti.sdk.resource;

import dev.tutti.sdk.Arguments;
import dev.tutti.sdk.Names;
import java.util.Locale;
import java.util.Optional;

/**
 * The kinds of memory a rank has. The set is open: a {@code switch} in plugin code needs a {@code
 * default}.
 */
public enum TransportMemType {
  /** The group's staging buffer for inputs; its contents do not outlive an operation. */
  CCL_INPUT,
  /** The group's staging buffer for outputs; its contents do not outlive an operation. */
  CCL_OUTPUT,
  /** The caller's input; never written, unless it is also the output. */
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
   * The method of {@link dev.tutti.sdk.NativeExecutorBase} with which an executor requests memory
   * of this kind; empty for memory that every rank has.
   */
  public Optional<String> askedIn() {
    return switch (this) {
      case SCRATCH -> Optional.of("calcScratchMemSize");
      case AIV_INPUT, AIV_OUTPUT -> Optional.of("calcAivBufferSize");
      case CCL_INPUT, CCL_OUTPUT, PARAM_INPUT, PARAM_OUTPUT -> Optional.empty();
    };
  }

  /**
   * The kind of a stable name.
   *
   * @throws dev.tutti.sdk.TuttiException with code UNKNOWN_NAME, suggesting the nearest name
   */
  public static TransportMemType fromLabel(String label) {
    Arguments.require(label, "label");
    for (TransportMemType type : values()) {
      if (type.label().equals(label)) {
        return type;
      }
    }
    throw Names.unknown("memory kind", label, values(), TransportMemType::label);
  }
}
