package dev.tutti.verifier.purity;

import dev.tutti.plan.GroupPlan;
import dev.tutti.verifier.matrix.CollectiveCase;
import dev.tutti.verifier.rule.Finding;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The plans that other processes make of the cases of some executors. Thread-safe. */
@FunctionalInterface
public interface RemotePlans {

  /**
   * Compares the plan of a case with those that are made elsewhere.
   *
   * @param c the case
   * @param plan the plan made here; null if the case is refused here
   * @return what is wrong, if anything is known to be
   */
  Optional<Finding> compare(CollectiveCase c, @Nullable GroupPlan plan);
}
