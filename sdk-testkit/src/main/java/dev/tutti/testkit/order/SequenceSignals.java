package dev.tutti.testkit.order;

import dev.tutti.sdk.plan.RankPlan;
import dev.tutti.testkit.flow.Findings;
import dev.tutti.testkit.flow.FlatStream;
import dev.tutti.testkit.flow.Place;
import dev.tutti.testkit.rule.Finding;
import dev.tutti.testkit.rule.Rule;
import java.util.List;

/** Rule SEQ-2: no post of the second operation comes before the last await of the first. */
final class SequenceSignals {

  /*
   * The awaits of a cell are all of one rank, which leaves the first operation before it enters the
   * second: no await of the second can take a signal of the first unless one is left over (SYN-3).
   * A rank's notifies between its own streams are posted and awaited by that rank alone. So what
   * remains is the first post over a link in the second operation: it must come after the last await
   * of that notify in the first one. A nested plan has notifies of its own.
   */
  private final SeamOrder order;
  private final Tally lost = new Tally(Rule.SEQUENCE_NOTIFY);

  SequenceSignals(SeamOrder order) {
    this.order = order;
  }

  void report(Findings findings) {
    int ranks = order.first().plan().plan().rankSize();
    for (int rank = 0; rank < ranks; rank++) {
      check(order.first().plan().node(rank), order.second().plan().node(rank));
    }
    lost.report(findings);
  }

  /** Pairs the links of a rank in both operations; both lists are sorted by their keys. */
  private void check(Place.Node one, Place.Node other) {
    RankPlan plan1 = one.plan();
    RankPlan plan2 = other.plan();
    int link1 = 0;
    int link2 = 0;
    while (link1 < plan1.linkCount() && link2 < plan2.linkCount()) {
      int compared = compare(plan1, link1, plan2, link2);
      if (compared == 0) {
        int notifies = Math.min(plan1.linkNotifyCount(link1), plan2.linkNotifyCount(link2));
        for (int notify = 0; notify < notifies; notify++) {
          check(one.linkCell(link1) + notify, other.linkCell(link2) + notify);
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

  private void check(int cell1, int cell2) {
    Signals signals1 = order.first().signals();
    Signals signals2 = order.second().signals();
    int awaitStream = signals1.awaitStream(cell1);
    int postStream = signals2.postStream(cell2);
    if (awaitStream < 0 || postStream < 0) {
      return;
    }
    int await = signals1.awaitEvent(cell1);
    int post = signals2.postEvent(cell2);
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
