package dev.tutti.host.planning;

/** What an algorithm was doing for a call when it failed. */
enum PlanningPhase {
  /** It was asked whether it accepts the call. */
  ANSWERING,
  /** Its plan was made for comparison with others. */
  COMPARING,
  /** It was chosen, and its plan was made. */
  PLANNING,
  /** Its plan was judged before the first run. */
  JUDGING
}
