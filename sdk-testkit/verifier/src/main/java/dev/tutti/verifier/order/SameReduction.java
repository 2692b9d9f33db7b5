package dev.tutti.verifier.order;

import dev.tutti.plan.RankPlan;
import dev.tutti.simulator.flow.FlatStream;

/** Decides whether two atomic reductions into one memory can run at the same time. */
final class SameReduction {

  private SameReduction() {}

  /** Whether two REDUCE actions on the same memory update the same span in the same way. */
  static boolean test(FlatStream code1, int event1, FlatStream code2, int event2) {
    RankPlan plan1 = code1.plan(event1);
    RankPlan plan2 = code2.plan(event2);
    int action1 = code1.action(event1);
    int action2 = code2.action(event2);
    return plan1.dstOffset(action1) == plan2.dstOffset(action2)
        && plan1.bytes(action1) == plan2.bytes(action2)
        && plan1.dataType(action1) == plan2.dataType(action2)
        && plan1.reduceOp(action1) == plan2.reduceOp(action2);
  }
}
