package dev.tutti.plan;

/**
 * The kinds of actions a plan is made of. The set is open: a {@code switch} outside the host needs
 * a {@code default}.
 */
public enum ActionKind {
  /** {@code dst = src}. */
  COPY,
  /** {@code dst = dst ⊕ src}. */
  REDUCE,
  /** {@code dst = ((s0 ⊕ s1) ⊕ s2) …}, left to right. */
  REDUCE_FROM,
  /** Sets a notify: one of this rank, or one at the peer's end of a link. */
  POST,
  /** Waits for a notify of this rank, or at this end of a link, and clears it. */
  AWAIT,
  /** Runs another plan of this rank from its first to its last action. */
  NESTED;

  private static final ActionKind[] VALUES = values();

  /** Whether this action touches memory and has operands. */
  public boolean isData() {
    return this == COPY || this == REDUCE || this == REDUCE_FROM;
  }

  /** Whether this action is a POST or an AWAIT. */
  public boolean isSync() {
    return this == POST || this == AWAIT;
  }

  static ActionKind at(int ordinal) {
    return VALUES[ordinal];
  }
}
