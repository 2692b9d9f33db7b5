package dev.tutti.testkit.flow;

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
public final class Place {

  private static final int NO_CELL = -1;

  private final @Nullable Node[] nodes;
  private final List<Place> children = new ArrayList<>();

  /** The plan of one rank at one place. */
  public static final class Node {
    private final RankPlan plan;

    /** The cell of the rank's own notify 0. */
    private final int ownBase;

    /** For each link, the cell of notify 0 at this end. */
    private final int[] linkBase;

    /** For each link, the cell of notify 0 at the other end, and the number of notifies there. */
    private final int[] peerBase;

    private final int[] peerNotifies;

    private Node(RankPlan plan, Cells cells) {
      this.plan = plan;
      this.ownBase = cells.take(plan.notifyCount());
      this.linkBase = new int[plan.linkCount()];
      this.peerBase = new int[linkBase.length];
      this.peerNotifies = new int[linkBase.length];
      for (int link = 0; link < linkBase.length; link++) {
        linkBase[link] = cells.take(plan.linkNotifyCount(link));
      }
    }

    private void connect(@Nullable Node[] nodes) {
      for (int link = 0; link < linkBase.length; link++) {
        int peer = plan.linkPeer(link);
        Node other = peer < nodes.length ? nodes[peer] : null;
        int reverse = other == null ? -1 : GroupPlan.reverseLink(plan, other.plan, link);
        peerBase[link] = other == null || reverse < 0 ? NO_CELL : other.linkBase[reverse];
        peerNotifies[link] = other == null || reverse < 0 ? 0 : other.plan.linkNotifyCount(reverse);
      }
    }

    /** The plan. */
    public RankPlan plan() {
      return plan;
    }

    /** The cell of this rank's own notify 0; those of its other own notifies follow. */
    public int ownCell() {
      return ownBase;
    }

    /** The cell of notify 0 at this end of a link; those of the link's other notifies follow. */
    public int linkCell(int link) {
      return linkBase[link];
    }

    /**
     * The cell that a POST sets.
     *
     * @throws TuttiException with {@link ErrorCode#LINK_MISMATCH} if the peer has no such notify
     */
    int postedCell(int action) {
      int link = plan.link(action);
      int notify = plan.notify(action);
      if (link == RankPlan.NO_LINK) {
        return ownBase + notify;
      }
      if (notify >= peerNotifies[link]) {
        throw new TuttiException(
            ErrorCode.LINK_MISMATCH,
            "rank %d does '%s', but rank %d has no such notify",
            plan.rank(),
            plan.describe(action),
            plan.linkPeer(link));
      }
      return peerBase[link] + notify;
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

  Place(List<? extends @Nullable RankPlan> plans, Cells cells, int workers) {
    nodes = new @Nullable Node[plans.size()];
    List<List<@Nullable RankPlan>> nested = new ArrayList<>();
    for (int rank = 0; rank < nodes.length; rank++) {
      RankPlan plan = plans.get(rank);
      if (plan != null) {
        nodes[rank] = new Node(plan, cells);
        collectNested(plan, rank, nested);
      }
    }
    RankRanges.map(
        nodes.length,
        workers,
        (from, to) -> {
          for (int rank = from; rank < to; rank++) {
            Node node = nodes[rank];
            if (node != null) {
              node.connect(nodes);
            }
          }
          return to;
        });
    for (List<@Nullable RankPlan> child : nested) {
      children.add(new Place(child, cells, workers));
    }
  }

  /** Puts the n-th nested plan of a rank into the n-th list. */
  private void collectNested(RankPlan plan, int rank, List<List<@Nullable RankPlan>> nested) {
    int found = 0;
    for (int action = 0; plan.hasNested() && action < plan.actionCount(); action++) {
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
