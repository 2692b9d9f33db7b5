package dev.tutti.engine;

import dev.tutti.plan.ActionKind;
import dev.tutti.plan.RankPlan;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;

/**
 * Derives the positions of a plan's streams from the data actions that are not done: it walks the
 * plan once more and stops each stream at the first action that it cannot have passed. The lists
 * that run have only some of the posts and awaits; the walk has all of them.
 */
final class Positions implements Unroller.Sink {

  private final List<Frame.Part> parts;

  /** The data actions that are not done, by part. */
  private final BitSet[] undone;

  Positions(List<Frame.Part> parts) {
    this.parts = parts;
    this.undone = new BitSet[parts.size()];
  }

  /** Adds a task that is not done. A message that is not done counts as the data of its action. */
  void add(TaskArrays tasks, int task) {
    boolean isData =
        switch (tasks.op[task]) {
          case TaskArrays.COPY,
              TaskArrays.REDUCE,
              TaskArrays.REDUCE_FROM,
              TaskArrays.SEND,
              TaskArrays.RECEIVE,
              TaskArrays.AWAIT ->
              true;
          default -> false;
        };
    if (isData && tasks.action[task] >= 0) {
      int part = tasks.part[task];
      undone[part] = undone[part] == null ? new BitSet() : undone[part];
      undone[part].set(tasks.action[task]);
    }
  }

  /** The positions of the streams that have not ended. */
  List<StreamPosition> of(Frame root) {
    List<StreamPosition> found = new ArrayList<>();
    for (Unroller.Cursor cursor : Unroller.stuck(root, parts, this)) {
      if (cursor.part.plan.kind(cursor.action()) != ActionKind.NESTED) {
        found.add(position(cursor.part.plan, cursor.action()));
      }
    }
    return found;
  }

  private static StreamPosition position(RankPlan plan, int action) {
    int waitsFor = StreamPosition.NOBODY;
    if (plan.kind(action) == ActionKind.AWAIT) {
      int link = plan.link(action);
      waitsFor = link == RankPlan.NO_LINK ? plan.rank() : plan.linkPeer(link);
    }
    String words =
        String.format(
            Locale.ROOT,
            "stream %d action %d: %s",
            plan.stream(action),
            action,
            plan.describe(action));
    return new StreamPosition(plan.rank(), waitsFor, words, plan.source(action));
  }

  @Override
  public boolean passes(Frame.Part part, int action) {
    BitSet ofPart = undone[part.id];
    return ofPart == null || !ofPart.get(action);
  }

  @Override
  public int openStream(int rank, int parentStream) {
    return 0;
  }

  @Override
  public void closeStream(int stream, int parentStream) {}

  @Override
  public void data(int stream, Frame.Part part, int action) {}

  @Override
  public int post(int stream, Frame.Part part, int action) {
    return 0;
  }

  @Override
  public void await(int stream, Frame.Part part, int action, int event) {}
}
