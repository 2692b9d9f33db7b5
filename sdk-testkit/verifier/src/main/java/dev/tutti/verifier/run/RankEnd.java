package dev.tutti.verifier.run;

import dev.tutti.plan.ActionRef;
import org.jspecify.annotations.Nullable;

/**
 * How a run ended for one rank. Immutable.
 *
 * @param rank the rank
 * @param state what its caller knows
 * @param diagnosis why it failed; null unless {@link State#FAILED}
 * @param stuckAt an action that will never run, although no rank has failed because of it; null if
 *     there is none
 */
public record RankEnd(
    int rank, State state, @Nullable Diagnosis diagnosis, @Nullable ActionRef stuckAt) {

  /** What a rank's caller knows at the end of a run. */
  public enum State {
    /** The call has returned with success. */
    COMPLETED,
    /** The call has ended with an error that says why. */
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
