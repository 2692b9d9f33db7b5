package dev.tutti.simulator.flow;

import dev.tutti.plan.ActionKind;
import dev.tutti.plan.GroupPlan;
import dev.tutti.plan.RankPlan;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A place in a group plan: the outermost plans of all ranks, or the n-th nested plan of each rank.
 * Links lead to peers at the same place. Every notify of a place has its own cell.
 */
public final class Place {

  private static final int NO_CELL = -1;

  private final List<? extends @Nullable RankPlan> plans;

  /** For each rank the cell of its own notify 0. */
  private final int[] ownBase;

  /*
   * A few arrays hold the data of the links of all ranks. With an object for each rank, the garbage
   * collector would copy many objects, and each lookup would cost another cache miss.
   */

  /**
   * For each rank, the index of its first link in the next arrays; the last entry is their length.
   */
  private final int[] firstLink;

  /** For each link, the cell of notify 0 at this end. */
  private final int[] linkBase;

  /** For each link, the cell of notify 0 at the other end, and the number of notifies there. */
  private final int[] peerBase;

  private final int[] peerNotifies;

  private final List<Place> children = new ArrayList<>();

  /** The plan of one rank at one place; a view. */
  public final class Node {
    private final RankPlan plan;
    private final int rank;

    private Node(RankPlan plan, int rank) {
      this.plan = plan;
      this.rank = rank;
    }

    /** The plan. */
    public RankPlan plan() {
      return plan;
    }

    /** The cell of this rank's own notify 0; those of its other own notifies follow. */
    public int ownCell() {
      return ownBase[rank];
    }

    /** The cell of notify 0 at this end of a link; those of the link's other notifies follow. */
    public int linkCell(int link) {
      return linkBase[firstLink[rank] + link];
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
        return ownCell() + notify;
      }
      int at = firstLink[rank] + link;
      if (notify >= peerNotifies[at]) {
        throw new TuttiException(
            ErrorCode.LINK_MISMATCH,
            "rank %d does '%s', but rank %d has no such notify",
            plan.rank(),
            plan.describe(action),
            plan.linkPeer(link));
      }
      return peerBase[at] + notify;
    }

    /** The cell that an AWAIT waits for. */
    int awaitedCell(int action) {
      int link = plan.link(action);
      return (link == RankPlan.NO_LINK ? ownCell() : linkCell(link)) + plan.notify(action);
    }
  }

  /** Allocates the numbers of notify cells. */
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
    this.plans = plans;
    int ranks = plans.size();
    this.ownBase = new int[ranks];
    this.firstLink = new int[ranks + 1];
    for (int rank = 0; rank < ranks; rank++) {
      RankPlan plan = plans.get(rank);
      int links = plan == null ? 0 : plan.linkCount();
      firstLink[rank + 1] = Math.addExact(firstLink[rank], links);
    }
    this.linkBase = new int[firstLink[ranks]];
    this.peerBase = new int[linkBase.length];
    this.peerNotifies = new int[linkBase.length];
    List<List<@Nullable RankPlan>> nested = new ArrayList<>();
    for (int rank = 0; rank < ranks; rank++) {
      RankPlan plan = plans.get(rank);
      if (plan != null) {
        takeCells(plan, rank, cells);
        collectNested(plan, rank, nested);
      }
    }
    RankRanges.map(
        ranks,
        workers,
        (from, to) -> {
          for (int rank = from; rank < to; rank++) {
            connect(rank);
          }
          return to;
        });
    for (List<@Nullable RankPlan> child : nested) {
      children.add(new Place(child, cells, workers));
    }
  }

  private void takeCells(RankPlan plan, int rank, Cells cells) {
    ownBase[rank] = cells.take(plan.notifyCount());
    for (int link = 0; link < plan.linkCount(); link++) {
      linkBase[firstLink[rank] + link] = cells.take(plan.linkNotifyCount(link));
    }
  }

  private void connect(int rank) {
    RankPlan plan = plans.get(rank);
    for (int link = 0; plan != null && link < plan.linkCount(); link++) {
      int at = firstLink[rank] + link;
      int peer = plan.linkPeer(link);
      RankPlan other = peer < plans.size() ? plans.get(peer) : null;
      int reverse = other == null ? -1 : GroupPlan.reverseLink(plan, other, link);
      peerBase[at] = NO_CELL;
      if (other != null && reverse >= 0) {
        peerBase[at] = linkBase[firstLink[peer] + reverse];
        peerNotifies[at] = other.linkNotifyCount(reverse);
      }
    }
  }

  /** Puts the n-th nested plan of a rank into the n-th list. */
  private void collectNested(RankPlan plan, int rank, List<List<@Nullable RankPlan>> nested) {
    int found = 0;
    for (int action = 0; plan.hasNested() && action < plan.actionCount(); action++) {
      if (plan.kind(action) == ActionKind.NESTED) {
        if (found == nested.size()) {
          List<@Nullable RankPlan> none = new ArrayList<>();
          for (int i = 0; i < plans.size(); i++) {
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
    RankPlan plan = plans.get(rank);
    if (plan == null) {
      throw new IllegalStateException("rank " + rank + " has no plan at this place");
    }
    return new Node(plan, rank);
  }

  /** The place of the n-th nested plan. */
  Place child(int index) {
    return children.get(index);
  }
}
