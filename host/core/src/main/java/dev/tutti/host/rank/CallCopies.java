package dev.tutti.host.rank;

import org.jspecify.annotations.Nullable;

/**
 * Copies of the buffers of one rank's operation, in memory that its peers can reach. Used by the
 * rank's thread; while that waits for an agreement, also by the one that agrees.
 */
interface CallCopies {

  /**
   * Fills the copies; the same call with buffers that peers can reach. The call itself if its
   * buffers are better left where they are, see {@link #areLeftOut}.
   */
  RankCall before();

  /**
   * Whether the call has begun without copies, in the hope of a plan in which each rank copies its
   * own buffers.
   */
  default boolean areLeftOut() {
    return false;
  }

  /**
   * Fills copies that were left out, as there is no such plan; see {@link #before}.
   *
   * @return null if the call has ended meanwhile
   */
  default @Nullable RankCall fillAfterAll() {
    return null;
  }

  /** Brings the result back. */
  void after();

  /** Ends an operation that has no result; does nothing if nothing was filled. */
  void giveUp();
}
