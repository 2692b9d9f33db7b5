package dev.tutti.verifier.symbol;

import dev.tutti.sdk.Determinism;
import org.jspecify.annotations.Nullable;

/**
 * The promises and facts besides the plan.
 *
 * @param declared how far equal bits are promised
 * @param atomicReductions whether several actions may reduce into one place at a time, each of them
 *     atomically, as some hardware does
 * @param order knows which event comes before which; without it DET-3 is not judged, because it is
 *     not known which reductions run at the same time
 */
public record SymbolOptions(Determinism declared, boolean atomicReductions, @Nullable Order order) {

  /** What the notifies of a plan enforce. Events are those of the streams of the flat plan. */
  @FunctionalInterface
  public interface Order {

    /** Whether an event is over before another one, which a legal walk comes to later, starts. */
    boolean isBefore(int stream, int event, int laterStream, int laterEvent);
  }

  /** No atomic reductions. */
  public static SymbolOptions of(Determinism declared) {
    return new SymbolOptions(declared, false, null);
  }

  /** Whether the order of concurrent reductions matters to what is promised, and can be judged. */
  boolean judgesTiming() {
    return atomicReductions && order != null && declared.satisfies(Determinism.SAME_RUNS);
  }
}
