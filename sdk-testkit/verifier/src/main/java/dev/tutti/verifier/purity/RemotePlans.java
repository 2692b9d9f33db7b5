package dev.tutti.verifier.purity;

import dev.tutti.plan.GroupPlan;
import dev.tutti.verifier.matrix.CollectiveCase;
import dev.tutti.verifier.rule.Finding;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The plans that other processes make for the cases of some executors. Thread-safe. */
@FunctionalInterface
public interface RemotePlans {

  /**
   * Compares the plan of a case with the plans of other processes.
   *
   * @param c the case
   * @param plan the plan of this process; null if the executors refuse the case here
   * @return the difference; empty if none is known
   */
  Optional<Finding> compare(CollectiveCase c, @Nullable GroupPlan plan);
}
