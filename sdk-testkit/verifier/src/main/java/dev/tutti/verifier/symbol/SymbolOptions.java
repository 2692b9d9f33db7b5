package dev.tutti.verifier.symbol;

import dev.tutti.sdk.Determinism;
import org.jspecify.annotations.Nullable;

/**
 * What a check must know besides the plan.
 *
 * @param declared the determinism that the executor promises
 * @param atomicReductions whether the hardware applies concurrent reductions into one place
 *     atomically
 * @param order the order of events. Without it DET-3 is not judged, because concurrent reductions
 *     are then unknown
 */
public record SymbolOptions(Determinism declared, boolean atomicReductions, @Nullable Order order) {

  /**
   * The order that the notifies of a plan enforce. Events are those of the streams of the flat
   * plan.
   */
  @FunctionalInterface
  public interface Order {

    /**
     * Whether an event is over before a second event starts. The second event must come later in a
     * legal walk.
     */
    boolean isBefore(int stream, int event, int laterStream, int laterEvent);
  }

  /** Options without atomic reductions. */
  public static SymbolOptions of(Determinism declared) {
    return new SymbolOptions(declared, false, null);
  }

  /**
   * Whether the promise depends on the order of concurrent reductions, and this order can be
   * judged.
   */
  boolean judgesTiming() {
    return atomicReductions && order != null && declared.satisfies(Determinism.SAME_RUNS);
  }
}
