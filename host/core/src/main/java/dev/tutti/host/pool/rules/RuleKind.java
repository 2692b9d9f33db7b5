package dev.tutti.host.pool.rules;

import java.util.Locale;

/** What a rule does with the algorithms that it names. */
public enum RuleKind {
  /** They alone are candidates; if none of them takes the request, it is refused. */
  PIN,
  /** Those that take the request come first, in the order of the rule. */
  PREFER,
  /** They come after all others that take the request. */
  AVOID,
  /** They are out, even if somebody asks for them by name. */
  DENY;

  /** The name in rules, for example {@code "pin"}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
