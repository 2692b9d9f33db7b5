package dev.tutti.verifier.order;

import dev.tutti.plan.RankPlan;
import dev.tutti.simulator.flow.FlatStream;
import dev.tutti.simulator.flow.Place;
import dev.tutti.simulator.flow.RankRanges;
import dev.tutti.verifier.rule.Finding;
import dev.tutti.verifier.rule.Findings;
import dev.tutti.verifier.rule.Rule;
import java.util.Arrays;
import java.util.List;

/**
 * Checks rule SEQ-2: no post of the second operation may come before the last await of the same
 * notify in the first.
 */
final class SequenceSignals {

  /*
   * All awaits of a cell belong to one rank, which leaves the first operation before it enters the
   * second. So an await of the second operation can take a signal of the first only if one is left
   * over (SYN-3). A rank alone posts and awaits the notifies between its own streams. That leaves
   * the first post over a link in the second operation: it must come after the last await of that
   * notify in the first one. A nested plan has its own notifies.
   */
  private final OperationOrder order;
  private final Tally lost = new Tally(Rule.SEQUENCE_NOTIFY);

  SequenceSignals(OperationOrder order) {
    this.order = order;
  }

  /** Judges the cheap cases on several threads, then the others on the calling thread. */
  void report(int workers, Findings findings) {
    int ranks = order.first().plan().plan().rankSize();
    List<OpenCells> parts =
        RankRanges.map(
            ranks,
            workers,
            (from, to) -> {
              OpenCells open = new OpenCells();
              for (int rank = from; rank < to; rank++) {
                scan(order.first().plan().node(rank), order.second().plan().node(rank), open);
              }
              return open;
            });
    for (OpenCells open : parts) {
      for (int i = 0; i < open.size; i += 2) {
        check(open.cells[i], open.cells[i + 1]);
      }
    }
    lost.report(findings);
  }

  /**
   * Pairs the links of a rank in both operations. Both lists of links are sorted by plane,
   * sub-communicator and peer.
   */
  private static void scan(Place.Node one, Place.Node other, OpenCells open) {
    RankPlan plan1 = one.plan();
    RankPlan plan2 = other.plan();
    int link1 = 0;
    int link2 = 0;
    while (link1 < plan1.linkCount() && link2 < plan2.linkCount()) {
      int compared = compare(plan1, link1, plan2, link2);
      if (compared == 0) {
        int notifies = Math.min(plan1.linkNotifyCount(link1), plan2.linkNotifyCount(link2));
        for (int notify = 0; notify < notifies; notify++) {
          open.add(one.linkCell(link1) + notify, other.linkCell(link2) + notify);
        }
      }
      link1 += compared <= 0 ? 1 : 0;
      link2 += compared >= 0 ? 1 : 0;
    }
  }

  private static int compare(RankPlan plan1, int link1, RankPlan plan2, int link2) {
    int compared = plan1.linkPlane(link1).compareTo(plan2.linkPlane(link2));
    if (compared == 0) {
      compared = Integer.compare(plan1.linkSubComm(link1), plan2.linkSubComm(link2));
    }
    return compared != 0 ? compared : Integer.compare(plan1.linkPeer(link1), plan2.linkPeer(link2));
  }

  /**
   * The pairs of cells of both operations that are not known to be in order. The last answer is
   * kept, because all cells of a link usually depend on the same two streams.
   */
  private final class OpenCells {
    private final Signals signals1 = order.first().signals();
    private final Signals signals2 = order.second().signals();
    private int[] cells = new int[16];
    private int size;
    private int awaitStream = -1;
    private int postStream = -1;
    private int lastHeard;
    private int firstAware;

    void add(int cell1, int cell2) {
      int ofAwait = signals1.awaitStream(cell1);
      int ofPost = signals2.postStream(cell2);
      if (ofAwait < 0 || ofPost < 0) {
        return;
      }
      if (ofAwait != awaitStream || ofPost != postStream) {
        awaitStream = ofAwait;
        postStream = ofPost;
        lastHeard = order.lastHeard(ofAwait, ofPost);
        firstAware = order.firstAware(ofAwait, ofPost);
      }
      if (signals1.awaitEvent(cell1) > lastHeard && signals2.postEvent(cell2) < firstAware) {
        keep(cell1, cell2);
      }
    }

    private void keep(int cell1, int cell2) {
      if (size == cells.length) {
        cells = Arrays.copyOf(cells, Math.multiplyExact(size, 2));
      }
      cells[size++] = cell1;
      cells[size++] = cell2;
    }
  }

  private void check(int cell1, int cell2) {
    int awaitStream = order.first().signals().awaitStream(cell1);
    int await = order.first().signals().awaitEvent(cell1);
    int postStream = order.second().signals().postStream(cell2);
    int post = order.second().signals().postEvent(cell2);
    FlatStream code1 = order.stream1(awaitStream);
    FlatStream code2 = order.stream2(postStream);
    if (lost.isWanted(() -> Clash.key(code1, await, code2, post))
        && !order.isOrdered(awaitStream, await, postStream, post)) {
      lost.add(
          Clash.key(code1, await, code2, post),
          () -> finding(awaitStream, await, postStream, post));
    }
  }

  private Finding finding(int awaitStream, int await, int postStream, int post) {
    FlatStream code1 = order.stream1(awaitStream);
    FlatStream code2 = order.stream2(postStream);
    return new Finding(
        Rule.SEQUENCE_NOTIFY,
        code2.describe(post)
            + " of an operation can come before "
            + code1.describe(await)
            + " of the operation before it has taken the last signal of that notify, and is then"
            + " lost",
        List.of(code2.ref(post), code1.ref(await)),
        order.explain(awaitStream, await, postStream, post));
  }
}
