package dev.tutti.verifier.run;

import dev.tutti.plan.ActionRef;
import org.jspecify.annotations.Nullable;

/**
 * How a run ended for one rank. Immutable.
 *
 * @param rank the rank
 * @param state the end of its call
 * @param diagnosis why it failed; null unless {@link State#FAILED}
 * @param stuckAt an action that will never run, although its rank has not failed; null if there is
 *     none
 */
public record RankEnd(
    int rank, State state, @Nullable Diagnosis diagnosis, @Nullable ActionRef stuckAt) {

  /** The state of a rank's call at the end of a run. */
  public enum State {
    /** The call has returned with success. */
    COMPLETED,
    /** The call has ended with an error that names the cause. */
    FAILED,
    /** The rank has died inside the call. */
    DEAD,
    /** The call has not ended. */
    HUNG
  }

  /** Whether the call has returned with success. */
  public boolean isCompleted() {
    return state == State.COMPLETED;
  }

  @Override
  public String toString() {
    return "rank "
        + rank
        + " "
        + state
        + (diagnosis == null ? "" : ": " + diagnosis)
        + (stuckAt == null ? "" : ", stuck at " + stuckAt);
  }
}
