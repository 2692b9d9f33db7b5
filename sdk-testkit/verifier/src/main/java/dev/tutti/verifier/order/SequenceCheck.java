package dev.tutti.verifier.order;

import dev.tutti.simulator.flow.FlatPlan;
import dev.tutti.verifier.rule.Findings;

/**
 * Judges two consecutive operations on the same group: rules SEQ-1 and SEQ-2, exact for all
 * schedules. The operations share CCL buffers, scratch and AIV memory, and the notifies of links
 * between the same ranks in the same plane. Each rank runs the second operation after the first.
 * Inputs and outputs are not judged here, because rule MEM-2 forbids accesses to them outside the
 * call.
 */
public final class SequenceCheck {

  private SequenceCheck() {}

  /**
   * Checks two operations. Reports nothing if one of them is stuck.
   *
   * @param first the operation that comes first
   * @param a the result of {@link OrderCheck} for it
   * @param second the second operation, with the same number of ranks; may be the same plan
   * @param b the result of {@link OrderCheck} for it
   */
  public static void check(
      FlatPlan first, OrderSummary a, FlatPlan second, OrderSummary b, Findings findings) {
    check(first, a, second, b, 1, findings);
  }

  /**
   * Checks two operations on several threads; as {@link #check(FlatPlan, OrderSummary, FlatPlan,
   * OrderSummary, Findings)}.
   *
   * @param workers the number of threads, the calling one included
   */
  public static void check(
      FlatPlan first,
      OrderSummary a,
      FlatPlan second,
      OrderSummary b,
      int workers,
      Findings findings) {
    if (first != a.facts().plan() || second != b.facts().plan()) {
      throw new IllegalArgumentException("a summary must be that of its plan");
    }
    if (first.plan().rankSize() != second.plan().rankSize()) {
      throw new IllegalArgumentException(
          "the operations must be of equally many ranks. Actual: "
              + first.plan().rankSize()
              + " and "
              + second.plan().rankSize());
    }
    if (a.isComplete() && b.isComplete()) {
      OperationOrder order = new OperationOrder(a.facts(), b.facts());
      new SequenceSignals(order).report(workers, findings);
      new SequenceRaces(order).report(findings);
    }
  }
}
