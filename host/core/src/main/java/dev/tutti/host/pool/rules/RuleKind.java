package dev.tutti.host.pool.rules;

import java.util.Locale;

/** What a rule does with the algorithms that it names. */
public enum RuleKind {
  /** Only they are candidates; if none of them accepts the request, it is refused. */
  PIN,
  /** Those that accept the request come first, in the order of the rule. */
  PREFER,
  /** They come after all others that accept the request. */
  AVOID,
  /** They are excluded, even if a request names them. */
  DENY;

  /** The name in rules, for example {@code "pin"}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
