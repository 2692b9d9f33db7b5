package dev.tutti.host.status;

import dev.tutti.sdk.Arguments;
import java.util.List;

/**
 * The activity of one rank of a group, or of one of its streams. If the run of a rank has several
 * streams, there is an entry for each stream that is not at its end.
 *
 * @param rank its number in the group
 * @param name what messages call it, for example {@code "rank 1 (world rank 5)"}
 * @param state what it does
 * @param doing in words that follow the name, for example {@code "waits in operation 3, barrier"}
 * @param waitsFor the ranks without which it does not go on; its own number if another stream of
 *     its own must go on first
 * @param at the author's source line of an action, or the application's of a call; empty if it is
 *     not known
 */
public record RankStatus(
    int rank, String name, State state, String doing, List<Integer> waitsFor, String at) {

  /** What a rank does. */
  public enum State {
    /** It waits for other ranks. */
    WAITING,
    /** It is at an action that moves data, or its call is being carried out. */
    RUNNING,
    /** It is in no call of the group. */
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
