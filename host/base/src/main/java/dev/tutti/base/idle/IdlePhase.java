package dev.tutti.base.idle;

/** The action of a thread between two polls; each phase costs more than the previous one. */
public enum IdlePhase {

  /** It keeps its processor. It sees a change within some 10 ns. */
  SPIN,

  /** It lets other threads use its processor, if there are any. */
  YIELD,

  /** It sleeps until it is woken up, or until a time. */
  PARK
}
