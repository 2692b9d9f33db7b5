package dev.tutti.host.rank;

import org.jspecify.annotations.Nullable;

/**
 * Copies of the buffers of one rank's operation, in memory that its peers can reach. The rank's
 * thread uses them, and while it waits for an agreement, the thread that makes the agreement does.
 */
interface CallCopies {

  /**
   * Fills the copies and returns the same call with buffers that peers can reach. Returns the call
   * itself if it begins without copies, see {@link #areLeftOut}.
   */
  RankCall before();

  /**
   * Whether the call has begun without copies, expecting a plan in which each rank copies its own
   * buffers.
   */
  default boolean areLeftOut() {
    return false;
  }

  /**
   * Fills copies that were left out, because no plan leaves buffers to their ranks; see {@link
   * #before}.
   *
   * @return null if the call has ended meanwhile
   */
  default @Nullable RankCall fillAfterAll() {
    return null;
  }

  /** Copies the result back. */
  void after();

  /** Ends an operation without a result; does nothing if no copies were filled. */
  void giveUp();
}
