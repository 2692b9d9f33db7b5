package dev.tutti.sdk;

import java.util.Locale;

/**
 * An algorithm's promise about the reproducibility of floating-point results. Each class includes
 * the previous ones.
 */
public enum Determinism {
  /** No promise: the order of operands may depend on timing. */
  NONE,
  /** Two runs of one operation on equal inputs give equal bits on each rank. */
  SAME_RUNS,
  /** In addition, all ranks that receive an element receive the same bits. */
  SAME_RANKS,
  /**
   * In addition, the bits of an element do not depend on the count or on the slicing of the data.
   */
  SAME_SIZES;

  /** Whether a promise of this class satisfies a requirement of {@code required}. */
  public boolean satisfies(Determinism required) {
    Arguments.require(required, "required");
    return compareTo(required) >= 0;
  }

  /** The stable name, for example {@code "same-ranks"}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * The class of a stable name; letter case, hyphens and underscores do not matter.
   *
   * @throws TuttiException with {@link ErrorCode#UNKNOWN_NAME}, suggesting the nearest name
   */
  public static Determinism fromLabel(String label) {
    Arguments.require(label, "label");
    for (Determinism value : values()) {
      if (value.label().replace("-", "").equalsIgnoreCase(label.replaceAll("[-_]", ""))) {
        return value;
      }
    }
    throw Names.unknown("determinism class", label, values(), Determinism::label);
  }
}
