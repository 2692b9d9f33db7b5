package dev.tutti.host.rank;

/**
 * Copies of the buffers of one rank's operation, in memory that its peers can reach. Used by the
 * rank's thread.
 */
interface CallCopies {

  /** Fills the copies; the same call with buffers that peers can reach. */
  RankCall before();

  /** Brings the result back. */
  void after();

  /** Ends an operation that has no result; does nothing if nothing was filled. */
  void giveUp();
}
