package dev.tutti.engine;

import dev.tutti.base.text.Sentence;
import dev.tutti.plan.ActionKind;
import dev.tutti.plan.RankPlan;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/** Explains why streams are stuck: the cycle of waits, or the post that never happens. */
final class DeadlockText {

  private static final int MAX_LISTED = 16;

  private DeadlockText() {}

  static String explain(List<Unroller.Cursor> stuck) {
    List<Unroller.Cursor> chain = chain(stuck);
    StringJoiner text = new StringJoiner("\n  ", "the plan can never finish:\n  ", "");
    for (Unroller.Cursor cursor : chain.subList(0, Math.min(MAX_LISTED, chain.size()))) {
      text.add(waiting(cursor));
    }
    if (chain.size() > MAX_LISTED) {
      text.add("… and so on through " + chain.size() + " streams");
    }
    Unroller.Cursor last = chain.getLast();
    Unroller.Cursor next = poster(last, stuck);
    text.add(
        next == null
            ? "and no stream that could post it has such a post left"
            : "which closes the cycle at rank " + next.part.plan.rank());
    int others = stuck.size() - chain.size();
    if (others > 0) {
      text.add(others + " further streams wait, directly or not, for these");
    }
    return text.toString();
  }

  /**
   * Follows the waits from some stuck stream until they repeat or end; if they repeat, keeps only
   * the cycle.
   */
  private static List<Unroller.Cursor> chain(List<Unroller.Cursor> stuck) {
    List<Unroller.Cursor> chain = new ArrayList<>();
    Unroller.Cursor cursor = firstAwaiting(stuck);
    while (cursor != null) {
      int seen = chain.indexOf(cursor);
      if (seen >= 0) {
        return chain.subList(seen, chain.size());
      }
      chain.add(cursor);
      cursor = poster(cursor, stuck);
    }
    return chain;
  }

  private static Unroller.Cursor firstAwaiting(List<Unroller.Cursor> stuck) {
    for (Unroller.Cursor cursor : stuck) {
      if (cursor.part.plan.kind(cursor.action()) == ActionKind.AWAIT) {
        return cursor;
      }
    }
    return stuck.getFirst();
  }

  /** A stuck stream that would post the notify that this one awaits. */
  private static Unroller.@Nullable Cursor poster(
      Unroller.Cursor waiting, List<Unroller.Cursor> stuck) {
    int action = waiting.action();
    if (waiting.part.plan.kind(action) != ActionKind.AWAIT) {
      return null;
    }
    int cell = waiting.frame.cell(waiting.part, action, false);
    int link = waiting.part.plan.link(action);
    int rank =
        link == RankPlan.NO_LINK ? waiting.part.plan.rank() : waiting.part.plan.linkPeer(link);
    for (Unroller.Cursor cursor : stuck) {
      if (cursor.frame == waiting.frame
          && cursor.part.plan.rank() == rank
          && postsLater(cursor, cell)) {
        return cursor;
      }
    }
    return null;
  }

  private static boolean postsLater(Unroller.Cursor cursor, int cell) {
    for (int i = cursor.position; i < cursor.part.streamStart[cursor.stream + 1]; i++) {
      int action = cursor.part.byStream[i];
      if (cursor.part.plan.kind(action) == ActionKind.POST
          && cursor.frame.cell(cursor.part, action, true) == cell) {
        return true;
      }
    }
    return false;
  }

  private static String waiting(Unroller.Cursor cursor) {
    return at(cursor.part.plan, cursor.action());
  }

  /** Rank, stream, action and source line of an action. */
  static String at(RankPlan plan, int action) {
    return Sentence.of(
        "rank %d stream %d action %d: %s, at %s",
        plan.rank(), plan.stream(action), action, plan.describe(action), plan.source(action));
  }
}
