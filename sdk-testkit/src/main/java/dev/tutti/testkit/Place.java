package dev.tutti.testkit;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.plan.ActionKind;
import dev.tutti.sdk.plan.GroupPlan;
import dev.tutti.sdk.plan.RankPlan;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A place in a group plan: the outermost plans of all ranks, or the n-th nested plan of each at one
 * place. Links lead to peers at the same place. Gives every notify of the place a cell of its own.
 */
final class Place {

  private final @Nullable Node[] nodes;
  private final List<Place> children = new ArrayList<>();

  /** The plan of one rank at one place. */
  static final class Node {
    final Place place;
    final RankPlan plan;

    /** The cell of the rank's own notify 0. */
    private final int ownBase;

    /** For each link, the cell of notify 0 at this end. */
    private final int[] linkBase;

    private Node(Place place, RankPlan plan, Cells cells) {
      this.place = place;
      this.plan = plan;
      this.ownBase = cells.take(plan.notifyCount());
      this.linkBase = new int[plan.linkCount()];
      for (int link = 0; link < linkBase.length; link++) {
        linkBase[link] = cells.take(plan.linkNotifyCount(link));
      }
    }

    /** The cell that a POST sets. */
    int postedCell(int action) {
      int link = plan.link(action);
      if (link == RankPlan.NO_LINK) {
        return ownBase + plan.notify(action);
      }
      int peer = plan.linkPeer(link);
      Node other = peer < place.nodes.length ? place.nodes[peer] : null;
      int reverse = other == null ? -1 : GroupPlan.reverseLink(plan, other.plan, link);
      if (other == null
          || reverse < 0
          || plan.notify(action) >= other.plan.linkNotifyCount(reverse)) {
        throw new TuttiException(
            ErrorCode.LINK_MISMATCH,
            "rank %d does '%s', but rank %d has no such notify",
            plan.rank(),
            plan.describe(action),
            peer);
      }
      return other.linkBase[reverse] + plan.notify(action);
    }

    /** The cell that an AWAIT waits for. */
    int awaitedCell(int action) {
      int link = plan.link(action);
      return (link == RankPlan.NO_LINK ? ownBase : linkBase[link]) + plan.notify(action);
    }
  }

  /** Hands out the numbers of notify cells. */
  static final class Cells {
    private int count;

    int take(int cells) {
      int first = count;
      count = Math.addExact(count, cells);
      return first;
    }

    int count() {
      return count;
    }
  }

  Place(List<? extends @Nullable RankPlan> plans, Cells cells) {
    nodes = new @Nullable Node[plans.size()];
    List<List<@Nullable RankPlan>> nested = new ArrayList<>();
    for (int rank = 0; rank < nodes.length; rank++) {
      RankPlan plan = plans.get(rank);
      if (plan != null) {
        nodes[rank] = new Node(this, plan, cells);
        collectNested(plan, rank, nested);
      }
    }
    for (List<@Nullable RankPlan> child : nested) {
      children.add(new Place(child, cells));
    }
  }

  /** Puts the n-th nested plan of a rank into the n-th list. */
  private void collectNested(RankPlan plan, int rank, List<List<@Nullable RankPlan>> nested) {
    int found = 0;
    for (int action = 0; action < plan.actionCount(); action++) {
      if (plan.kind(action) == ActionKind.NESTED) {
        if (found == nested.size()) {
          List<@Nullable RankPlan> none = new ArrayList<>();
          for (int i = 0; i < nodes.length; i++) {
            none.add(null);
          }
          nested.add(none);
        }
        nested.get(found++).set(rank, plan.nested(action));
      }
    }
  }

  /** The plan of a rank, which must have one here. */
  Node node(int rank) {
    Node node = nodes[rank];
    if (node == null) {
      throw new IllegalStateException("rank " + rank + " has no plan at this place");
    }
    return node;
  }

  /** The place of the n-th nested plan. */
  Place child(int index) {
    return children.get(index);
  }
}
