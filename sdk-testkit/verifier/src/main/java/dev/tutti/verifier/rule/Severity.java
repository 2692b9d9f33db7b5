package dev.tutti.verifier.rule;

import java.util.Locale;

/** How much a finding matters. */
public enum Severity {
  /** The algorithm is wrong, or can be in some run. */
  ERROR,
  /** The algorithm works, but not as declared or not as well as it could. */
  WARNING,
  /** Something useful to know. */
  NOTE;

  /** The stable name, for example {@code "error"}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
