package dev.tutti.engine.trace;

import dev.tutti.plan.ActionRef;
import dev.tutti.sdk.Arguments;
import java.util.List;

/**
 * What each rank did in one run, and when. The times are those of a run that happened, or those
 * that a model expects. Immutable; it holds only text and numbers.
 *
 * <p>Copies that the compiler has removed are not in it, because nothing ran for them. Streams of
 * nested plans are numbered after those of the plan that runs them.
 *
 * @param nanos how long the run took, in nanoseconds
 * @param actions the actions that moved or combined data, by rank, and within a rank in the order
 *     of its plan
 * @param waits the gaps before actions that had to wait, in the same order
 */
public record RunTrace(long nanos, List<Action> actions, List<Wait> waits) {

  /** Copies the lists. */
  public RunTrace {
    Arguments.require(actions, "actions");
    Arguments.require(waits, "waits");
    actions = List.copyOf(actions);
    waits = List.copyOf(waits);
  }

  /**
   * An action that ran.
   *
   * <p>An action that ran in pieces is one: it begins with its first piece and ends with its last
   * one. Neighbouring actions that ran tile by tile, and copies that ran as one, have the same
   * times.
   *
   * @param ref what it does, and the author's line
   * @param list the number of the static list that holds it; in a graph, the number of the worker
   *     that ended it; on a simulated network, its rank
   * @param thread the name of the thread that ended it; in a model, the text of its worker or rank
   * @param fromNanos when it began, in nanoseconds from the start of the run
   * @param toNanos when it ended
   */
  public record Action(ActionRef ref, int list, String thread, long fromNanos, long toNanos) {

    /** Checks that the words are there. */
    public Action {
      Arguments.require(ref, "ref");
      Arguments.require(thread, "thread");
    }
  }

  /**
   * The time between two actions of a stream with awaits between them. In it the stream waited for
   * its peers, or its thread ran other ranks. A gap of no time is not a wait.
   *
   * @param rank the rank
   * @param stream its stream, 0 for the main stream
   * @param awaits what the plan awaits between the two actions; at least one
   * @param fromNanos when the previous action ended, or 0 if there is none
   * @param toNanos when the next action began
   */
  public record Wait(int rank, int stream, List<ActionRef> awaits, long fromNanos, long toNanos) {

    /** Copies the list. */
    public Wait {
      Arguments.require(awaits, "awaits");
      awaits = List.copyOf(awaits);
    }
  }
}
