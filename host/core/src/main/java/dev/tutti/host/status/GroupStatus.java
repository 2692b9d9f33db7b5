package dev.tutti.host.status;

import dev.tutti.sdk.Arguments;
import java.util.ArrayList;
import java.util.List;

/**
 * What a group is doing at one moment.
 *
 * @param number the number of the group in its context, from 1 in the order of creation
 * @param title for example {@code "group of 4 ranks"}
 * @param rankSize the number of its ranks
 * @param state the kind of its activity
 * @param doing its activity, in words that follow "the group is"; empty if it is idle
 * @param ranks the activity of the ranks, in their order; empty unless some of them wait or run. If
 *     ranks are in several processes, it has the ranks of this process, and the known facts about
 *     the others while they run
 */
public record GroupStatus(
    long number, String title, int rankSize, State state, String doing, List<RankStatus> ranks) {

  /** The activity of a group. */
  public enum State {
    /** It does nothing. */
    IDLE,
    /** Some of its ranks wait for others that have not called. */
    MEETING,
    /** It runs an operation. */
    RUNNING,
    /** It captures operations instead of running them. */
    CAPTURING,
    /** An earlier failure left it unusable. */
    POISONED,
    /** It is closed. */
    CLOSED
  }

  /** Takes an immutable copy. */
  public GroupStatus {
    Arguments.require(title, "title");
    Arguments.require(state, "state");
    Arguments.require(doing, "doing");
    Arguments.require(ranks, "ranks");
    ranks = List.copyOf(ranks);
  }

  /**
   * The activity of the ranks, one line each; the last line names the cause of the wait, if there
   * is one.
   *
   * @param most the largest number of lines about ranks, 1 or more
   * @param hint text that follows the number of omitted lines; may be empty
   */
  public List<String> lines(int most, String hint) {
    Arguments.require(hint, "hint");
    List<String> lines = new ArrayList<>();
    ranks.stream().limit(most).forEach(each -> lines.add("  " + each));
    if (ranks.size() > most) {
      lines.add("  and " + (ranks.size() - most) + " more lines" + hint);
    }
    if (!cause().isEmpty()) {
      lines.add("  → " + cause());
    }
    return lines;
  }

  /**
   * A sentence about the cause of the wait: the rank that the others wait for, or the ranks that
   * wait for each other. Empty if no rank waits.
   */
  public String cause() {
    return WaitChain.of(ranks).cause();
  }
}
