package dev.tutti.host.pool.rules;

import java.util.Locale;

/** The effect of a rule on the algorithms that it names. */
public enum RuleKind {
  /** Only these algorithms are candidates; if none of them accepts the request, it is refused. */
  PIN,
  /** Those of the algorithms that accept the request come first, in the order of the rule. */
  PREFER,
  /** These algorithms come after all others that accept the request. */
  AVOID,
  /** These algorithms are excluded, even if a request names them. */
  DENY;

  /** The name in rules, for example {@code "pin"}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
