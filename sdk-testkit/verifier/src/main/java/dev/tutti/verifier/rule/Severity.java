package dev.tutti.verifier.rule;

import java.util.Locale;

/** How much a finding matters. */
public enum Severity {
  /** The algorithm is wrong, or can be in some run. */
  ERROR,
  /** The algorithm works, but not as it says or not as well as it could. */
  WARNING,
  /** Something worth knowing. */
  NOTE;

  /** The stable name, for example {@code "error"}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
