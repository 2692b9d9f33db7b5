package dev.tutti.base.idle;

/**
 * What a thread does between two looks at what it waits for; each costs more than the one before.
 */
public enum IdlePhase {

  /** It keeps its processor. It sees a change within some 10 ns. */
  SPIN,

  /** It lets other threads use its processor, if there are any. */
  YIELD,

  /** It sleeps, until it is woken up or a time has come. */
  PARK
}
