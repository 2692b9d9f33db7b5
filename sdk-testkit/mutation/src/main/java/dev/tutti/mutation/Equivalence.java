package dev.tutti.mutation;

import dev.tutti.plan.GroupPlan;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.Operation;
import dev.tutti.sdk.TuttiException;
import dev.tutti.simulator.flow.FlatPlan;

/**
 * Proves that a mutant does the same as the original: every schedule runs to its end and loses no
 * signal, conflicting accesses are ordered as in the original, also between two consecutive runs,
 * the ranks of a barrier meet as before, and the results are equal to the byte. If the conflicts
 * are ordered, all schedules of a plan give the same result, so a few runs on random data represent
 * all.
 */
final class Equivalence {

  private final boolean isBarrier;
  private final PlainOrder order;
  private final SameResults results;
  private final SameResults exactResults;

  /**
   * Analyzes the original.
   *
   * @param type the operation's element type
   */
  Equivalence(GroupPlan original, Operation operation, DataType type) {
    FlatPlan flat = FlatPlan.of(original);
    this.isBarrier = operation == Operation.BARRIER;
    this.order = new PlainOrder(flat, (rank, action) -> action, isBarrier);
    this.results = new SameResults(flat, type, false);
    this.exactResults = new SameResults(flat, type, true);
  }

  /** Whether a mutant of the original is proven to do the same, to the bit. */
  boolean holdsFor(Mutant mutant) {
    return holdsFor(mutant.plan(), mutant::origin, results);
  }

  /**
   * Whether a mutant of the original is proven to do the same, except for the association of
   * reduced operands. Few algorithms promise that; rule DET checks those that do.
   */
  boolean holdsButForAssociation(Mutant mutant) {
    return holdsFor(mutant.plan(), mutant::origin, exactResults);
  }

  /** Whether another plan is proven to do the same, except for the association. */
  boolean holdsFor(GroupPlan changed, PlainOrder.Origin origin) {
    return holdsFor(changed, origin, exactResults);
  }

  private boolean holdsFor(GroupPlan plan, PlainOrder.Origin origin, SameResults wanted) {
    try {
      FlatPlan flat = FlatPlan.of(plan);
      if (!wanted.areThoseOf(flat)) {
        return false;
      }
      PlainOrder changed = new PlainOrder(flat, origin, isBarrier);
      return changed.isSure() && changed.agreesWith(order);
    } catch (TuttiException e) {
      // The plan uses a notify or memory that does not exist, so it cannot run.
      return false;
    }
  }
}
