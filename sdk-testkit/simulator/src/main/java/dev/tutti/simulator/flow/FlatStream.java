package dev.tutti.simulator.flow;

import dev.tutti.plan.ActionKind;
import dev.tutti.plan.ActionRef;
import dev.tutti.plan.RankPlan;

/**
 * One stream of one rank as a list of events: an event moves data, or posts or awaits one notify
 * cell, or is the border of the rank's call. Nested plans are part of the streams that run them.
 * Immutable once its plan is built.
 */
public abstract sealed class FlatStream permits PlanStream, ExpandedStream {

  /** {@link #sync} of an event that touches memory. */
  public static final int DATA = -1;

  /** {@link #sync} of the first event of a main stream: the rank enters the operation. */
  public static final int BEGIN = -2;

  /** {@link #sync} of the last event of a main stream: the operation returns to the caller. */
  public static final int END = -3;

  /** {@link #action} of an event that is not an action of a plan. */
  public static final int NO_ACTION = -1;

  /** {@link #part} of an event outside nested plans. */
  public static final int NO_PART = -1;

  private final int rank;
  private final int number;
  private final Sources sources;

  FlatStream(int rank, int number, Sources sources) {
    this.rank = rank;
    this.number = number;
    this.sources = sources;
  }

  /** The rank. */
  public final int rank() {
    return rank;
  }

  /** The stream's number in the plan it belongs to; 0 for the main stream. */
  public final int number() {
    return number;
  }

  /** The number of events. Events are numbered from 0 in the order of the stream. */
  public abstract int size();

  /** DATA, BEGIN, END, or the notify cell above one bit: 0 to post it, 1 to await it. */
  public abstract int sync(int event);

  /** The plan of an event that is an action. */
  public abstract RankPlan plan(int event);

  /** The number of the action in its plan, or {@link #NO_ACTION}. */
  public abstract int action(int event);

  /** The index of the outermost plan's nested plan that contains an event, from 0, or NO_PART. */
  public abstract int part(int event);

  /** Whether this is the main stream of its rank, which starts with BEGIN and ends with END. */
  public final boolean isMain() {
    return size() > 0 && sync(0) == BEGIN;
  }

  /** Whether a {@link #sync} awaits a cell. */
  public static boolean isAwait(int sync) {
    return sync >= 0 && (sync & 1) == 1;
  }

  /** Whether a {@link #sync} posts a cell. */
  public static boolean isPost(int sync) {
    return sync >= 0 && (sync & 1) == 0;
  }

  /** The cell of a {@link #sync} that posts or awaits. */
  public static int cell(int sync) {
    return sync >>> 1;
  }

  static int sync(Place.Node node, int action) {
    ActionKind kind = node.plan().kind(action);
    return switch (kind) {
      case POST -> node.postedCell(action) << 1;
      case AWAIT -> node.awaitedCell(action) << 1 | 1;
      default -> DATA;
    };
  }

  /** Whether an event is an action of the author, with a plan and a source line. */
  public final boolean isAction(int event) {
    return action(event) != NO_ACTION;
  }

  /** Whether this is a slave stream of a nested plan; other streams may have the same number. */
  public boolean isNested() {
    return false;
  }

  /** The stream, as text. */
  public String name() {
    return "rank " + rank + " stream " + number;
  }

  /** An event, for messages and tools. */
  public final ActionRef ref(int event) {
    int action = action(event);
    return action == NO_ACTION
        ? new ActionRef(rank, number, -1, borderText(event), "?")
        : new ActionRef(
            rank, number, action, plan(event).describe(action), sources.line(plan(event), action));
  }

  /** An event in words, with its source line. */
  public final String describe(int event) {
    if (isAction(event)) {
      ActionRef ref = ref(event);
      String at = ref.source().equals("?") ? "" : " at " + ref.source();
      return name() + " '" + ref.text() + "'" + at;
    }
    return switch (sync(event)) {
      case BEGIN, END -> borderText(event);
      default -> name() + " '" + borderText(event) + "'";
    };
  }

  private String borderText(int event) {
    int sync = sync(event);
    return switch (sync) {
      case BEGIN -> "the caller of rank " + rank + ", before the operation";
      case END -> "the caller of rank " + rank + ", after the operation has returned";
      default -> (isAwait(sync) ? "await" : "post") + " the border of a nested plan";
    };
  }

  /**
   * A text that findings of one cause share: the action's kind, with its source line or, without
   * lines, its rank and stream.
   */
  public final String origin(int event) {
    int action = action(event);
    if (action == NO_ACTION) {
      return "border " + sync(event);
    }
    RankPlan plan = plan(event);
    String line = sources.line(plan, action);
    return plan.kind(action) + (line.equals("?") ? " " + rank + " " + number : line);
  }
}
