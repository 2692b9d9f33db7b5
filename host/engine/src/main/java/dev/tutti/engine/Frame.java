package dev.tutti.engine;

import dev.tutti.plan.ActionKind;
import dev.tutti.plan.GroupPlan;
import dev.tutti.plan.RankPlan;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One group of matching rank plans: those of the group itself, or those that one NESTED action of
 * every rank runs. Notifies and links belong to a frame.
 */
final class Frame {

  private final Part[] parts;
  private final List<Frame> nested = new ArrayList<>();

  /** One rank's plan in a frame, with its actions sorted by stream and its notify cells. */
  static final class Part {
    final RankPlan plan;

    /** Actions of stream s are {@code byStream[streamStart[s] .. streamStart[s + 1])}. */
    final int[] byStream;

    final int[] streamStart;

    /** First notify cell of this rank's own notifies. */
    final int notifyCell;

    /** First notify cell of each link's end at this rank. */
    final int[] linkCell;

    /** The other end of each link, or -1 before it is looked up. */
    final int[] reverse;

    /** The NESTED actions, ascending. */
    final int[] nestedActions;

    /** The part's place in the list of all parts. */
    final int id;

    private Part(RankPlan plan, int id, int firstCell) {
      this.plan = plan;
      this.id = id;
      this.streamStart = new int[plan.streamCount() + 1];
      this.byStream = new int[plan.actionCount()];
      this.notifyCell = firstCell;
      this.linkCell = new int[plan.linkCount() + 1];
      this.reverse = new int[plan.linkCount()];
      Arrays.fill(reverse, -1);
      this.nestedActions = nestedActions(plan);
      sortByStream();
      int cell = firstCell + plan.notifyCount();
      for (int link = 0; link < plan.linkCount(); link++) {
        linkCell[link] = cell;
        cell = Math.addExact(cell, plan.linkNotifyCount(link));
      }
      linkCell[plan.linkCount()] = cell;
    }

    private void sortByStream() {
      for (int action = 0; action < byStream.length; action++) {
        streamStart[plan.stream(action) + 1]++;
      }
      for (int stream = 0; stream < plan.streamCount(); stream++) {
        streamStart[stream + 1] += streamStart[stream];
      }
      int[] next = streamStart.clone();
      for (int action = 0; action < byStream.length; action++) {
        byStream[next[plan.stream(action)]++] = action;
      }
    }

    /**
     * The number of the nested plan that a NESTED action runs, counted over all streams of the
     * rank.
     */
    int nestedNumber(int action) {
      return Arrays.binarySearch(nestedActions, action);
    }

    int endCell() {
      return linkCell[linkCell.length - 1];
    }
  }

  private Frame(Part[] parts) {
    this.parts = parts;
  }

  /** Opens a group plan and everything nested in it, in parts numbered from 0. */
  static Frame open(GroupPlan plan, List<Part> all) {
    return open(plan.ranks().toArray(RankPlan[]::new), all);
  }

  private static Frame open(RankPlan[] plans, List<Part> all) {
    Part[] parts = new Part[plans.length];
    for (int rank = 0; rank < plans.length; rank++) {
      int firstCell = all.isEmpty() ? 0 : all.getLast().endCell();
      parts[rank] = new Part(plans[rank], all.size(), firstCell);
      all.add(parts[rank]);
    }
    Frame frame = new Frame(parts);
    int count = parts[0].nestedActions.length;
    for (Part part : parts) {
      if (part.nestedActions.length != count) {
        throw new TuttiException(
            ErrorCode.INVALID_PLAN,
            "every rank must run the same number of nested plans. Actual: rank 0 runs %d, rank %d"
                + " runs %d",
            count,
            part.plan.rank(),
            part.nestedActions.length);
      }
    }
    for (int i = 0; i < count; i++) {
      RankPlan[] inner = new RankPlan[plans.length];
      for (int rank = 0; rank < plans.length; rank++) {
        inner[rank] = plans[rank].nested(parts[rank].nestedActions[i]);
      }
      frame.nested.add(open(inner, all));
    }
    return frame;
  }

  private static int[] nestedActions(RankPlan plan) {
    int count = 0;
    int[] actions = new int[4];
    for (int action = 0; action < plan.actionCount(); action++) {
      if (plan.kind(action) == ActionKind.NESTED) {
        actions = count == actions.length ? Arrays.copyOf(actions, 2 * count) : actions;
        actions[count++] = action;
      }
    }
    return Arrays.copyOf(actions, count);
  }

  int rankSize() {
    return parts.length;
  }

  Part part(int rank) {
    return parts[rank];
  }

  /** The frame of a rank's n-th NESTED action. */
  Frame nested(int n) {
    return nested.get(n);
  }

  /** The notify cell that a POST or AWAIT of a rank touches. */
  int cell(Part part, int action, boolean isPost) {
    RankPlan plan = part.plan;
    int link = plan.link(action);
    if (link == RankPlan.NO_LINK) {
      return part.notifyCell + plan.notify(action);
    }
    if (!isPost) {
      return part.linkCell[link] + plan.notify(action);
    }
    Part peer = parts[plan.linkPeer(link)];
    int reverse = part.reverse[link];
    if (reverse < 0) {
      reverse = GroupPlan.reverseLink(plan, peer.plan, link);
      if (reverse < 0) {
        throw new TuttiException(
            ErrorCode.LINK_MISMATCH,
            "rank %d posts to rank %d over a link that rank %d did not ask for",
            plan.rank(),
            peer.plan.rank(),
            peer.plan.rank());
      }
      part.reverse[link] = reverse;
    }
    return peer.linkCell[reverse] + plan.notify(action);
  }

  /**
   * The frames of a plan, opened on first use: a plan that was made from another one needs them for
   * diagnoses only. Thread-safe.
   */
  static final class OfPlan {

    private final GroupPlan plan;
    private @Nullable Opened opened;

    private record Opened(Frame root, List<Part> parts) {}

    OfPlan(GroupPlan plan) {
      this.plan = plan;
    }

    /** The outermost frame. */
    Frame root() {
      return opened().root;
    }

    /** The parts of all frames, by their numbers. */
    List<Part> parts() {
      return opened().parts;
    }

    private synchronized Opened opened() {
      Opened known = opened;
      if (known == null) {
        List<Part> parts = new ArrayList<>();
        known = new Opened(open(plan, parts), parts);
        opened = known;
      }
      return known;
    }
  }
}
