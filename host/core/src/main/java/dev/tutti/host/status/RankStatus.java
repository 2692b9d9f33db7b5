package dev.tutti.host.status;

import dev.tutti.sdk.Arguments;
import java.util.List;

/**
 * The activity of one rank of a group, or of one of its streams. If the run of a rank has several
 * streams, there is an entry for each stream that is not at its end.
 *
 * @param rank its number in the group
 * @param name its name in messages, for example {@code "rank 1 (world rank 5)"}
 * @param state the kind of its activity
 * @param doing its activity, in words that follow the name, for example {@code "waits in operation
 *     3, barrier"}
 * @param waitsFor the ranks that it waits for; its own number if it waits for another stream of its
 *     own
 * @param at the author's source line of the action, or the application's source line of the call;
 *     empty if it is not known
 */
public record RankStatus(
    int rank, String name, State state, String doing, List<Integer> waitsFor, String at) {

  /** The activity of a rank. */
  public enum State {
    /** It waits for other ranks. */
    WAITING,
    /** It is at an action that moves data, or its call is running. */
    RUNNING,
    /** It is not in a call of the group. */
    OUTSIDE,
    /** It makes no more calls: its body has ended. */
    GONE
  }

  /** Takes an immutable copy. */
  public RankStatus {
    Arguments.require(name, "name");
    Arguments.require(state, "state");
    Arguments.require(doing, "doing");
    Arguments.require(waitsFor, "waitsFor");
    Arguments.require(at, "at");
    waitsFor = List.copyOf(waitsFor);
  }

  /** Whether it waits for other ranks. */
  public boolean isWaiting() {
    return state == State.WAITING;
  }

  /** The status as one line of text. */
  @Override
  public String toString() {
    return name + " " + doing + (at.isEmpty() ? "" : ", at " + at);
  }
}
