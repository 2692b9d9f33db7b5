package dev.tutti.testkit;

import dev.tutti.sdk.plan.ActionKind;
import dev.tutti.sdk.plan.RankPlan;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * One stream of one rank as a list of events: an event touches memory, or posts or awaits one
 * notify cell, or is the border of the rank's call. Nested plans are part of the streams that run
 * them.
 */
final class FlatStream {

  /** {@link #sync} of an event that touches memory. */
  static final int DATA = -1;

  /** {@link #sync} of the first event of a main stream: the rank enters the operation. */
  static final int BEGIN = -2;

  /** {@link #sync} of the last event of a main stream: the operation returns to the caller. */
  static final int END = -3;

  private static final int NO_ACTION = -1;

  final int rank;

  /** The stream's number in the plan it belongs to. */
  final int number;

  private final @Nullable String nestedIn;
  private int size;
  private Place.@Nullable Node[] nodes = new Place.@Nullable Node[16];
  private int[] actions = new int[16];
  private int[] syncs = new int[16];

  FlatStream(int rank, int number, @Nullable String nestedIn) {
    this.rank = rank;
    this.number = number;
    this.nestedIn = nestedIn;
  }

  void add(Place.@Nullable Node node, int action, int sync) {
    if (size == actions.length) {
      nodes = Arrays.copyOf(nodes, size * 2);
      actions = Arrays.copyOf(actions, size * 2);
      syncs = Arrays.copyOf(syncs, size * 2);
    }
    nodes[size] = node;
    actions[size] = action;
    syncs[size++] = sync;
  }

  void addBorder(int border) {
    add(null, NO_ACTION, border);
  }

  void addSync(boolean isAwait, int cell) {
    add(null, NO_ACTION, cell << 1 | (isAwait ? 1 : 0));
  }

  void addAction(Place.Node node, int action) {
    ActionKind kind = node.plan.kind(action);
    int sync =
        switch (kind) {
          case POST -> node.postedCell(action) << 1;
          case AWAIT -> node.awaitedCell(action) << 1 | 1;
          default -> DATA;
        };
    add(node, action, sync);
  }

  int size() {
    return size;
  }

  /** DATA, BEGIN, END, or the notify cell above one bit: 0 to post it, 1 to await it. */
  int sync(int event) {
    return syncs[event];
  }

  static boolean isAwait(int sync) {
    return sync >= 0 && (sync & 1) == 1;
  }

  static boolean isPost(int sync) {
    return sync >= 0 && (sync & 1) == 0;
  }

  static int cell(int sync) {
    return sync >>> 1;
  }

  /** The plan of an event that is an action. */
  RankPlan plan(int event) {
    return node(event).plan;
  }

  /** The place of an event that is an action. */
  Place place(int event) {
    return node(event).place;
  }

  private Place.Node node(int event) {
    Place.Node node = nodes[event];
    if (node == null) {
      throw new IllegalStateException("event " + event + " of " + name() + " is not an action");
    }
    return node;
  }

  /** The number of the action in its plan. */
  int action(int event) {
    return actions[event];
  }

  /** Whether an event is the author's, with a plan and a source line. */
  boolean isAction(int event) {
    return actions[event] != NO_ACTION;
  }

  String name() {
    String text = "rank " + rank + " stream " + number;
    return nestedIn == null ? text : text + " of " + nestedIn;
  }

  /** What an event does and where it was emitted. */
  String describe(int event) {
    if (isAction(event)) {
      RankPlan plan = plan(event);
      int action = actions[event];
      String source = plan.hasSources() ? " at " + plan.source(action) : "";
      return name() + " '" + plan.describe(action) + "'" + source;
    }
    return switch (syncs[event]) {
      case BEGIN -> "the caller of rank " + rank + ", before the operation";
      case END -> "the caller of rank " + rank + ", after the operation has returned";
      default ->
          name() + (isAwait(syncs[event]) ? " 'await" : " 'post") + " the border of a nested plan'";
    };
  }

  /** What findings of one cause have in common: the source line, else the action's text. */
  String origin(int event) {
    if (!isAction(event)) {
      return "border " + syncs[event];
    }
    RankPlan plan = plan(event);
    int action = actions[event];
    return plan.hasSources()
        ? plan.kind(action) + plan.source(action)
        : plan.kind(action) + " " + rank + " " + number;
  }
}
