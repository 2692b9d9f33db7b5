package dev.tutti.simulator.flow;

import dev.tutti.plan.RankPlan;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A stream of a plan with nested plans, as a list of events. */
final class ExpandedStream extends FlatStream {

  private final @Nullable String nestedIn;
  private int size;
  private Place.@Nullable Node[] nodes = new Place.@Nullable Node[16];
  private int[] actions = new int[16];
  private int[] syncs = new int[16];
  private int[] parts = new int[16];

  ExpandedStream(int rank, int number, @Nullable String nestedIn, Sources sources) {
    super(rank, number, sources);
    this.nestedIn = nestedIn;
  }

  private void add(Place.@Nullable Node node, int action, int sync, int part) {
    if (size == actions.length) {
      nodes = Arrays.copyOf(nodes, size * 2);
      actions = Arrays.copyOf(actions, size * 2);
      syncs = Arrays.copyOf(syncs, size * 2);
      parts = Arrays.copyOf(parts, size * 2);
    }
    nodes[size] = node;
    actions[size] = action;
    parts[size] = part;
    syncs[size++] = sync;
  }

  void addBorder(int border) {
    add(null, NO_ACTION, border, NO_PART);
  }

  void addSync(boolean isAwait, int cell, int part) {
    add(null, NO_ACTION, cell << 1 | (isAwait ? 1 : 0), part);
  }

  void addAction(Place.Node node, int action, int part) {
    add(node, action, sync(node, action), part);
  }

  @Override
  public int size() {
    return size;
  }

  @Override
  public int sync(int event) {
    return syncs[event];
  }

  @Override
  public RankPlan plan(int event) {
    Place.Node node = nodes[event];
    if (node == null) {
      throw new IllegalStateException("event " + event + " of " + name() + " is not an action");
    }
    return node.plan();
  }

  @Override
  public int action(int event) {
    return actions[event];
  }

  @Override
  public int part(int event) {
    return parts[event];
  }

  @Override
  public boolean isNested() {
    return nestedIn != null;
  }

  @Override
  public String name() {
    return nestedIn == null ? super.name() : super.name() + " of " + nestedIn;
  }
}
