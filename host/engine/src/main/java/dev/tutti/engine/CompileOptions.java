package dev.tutti.engine;

import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The options of compilation.
 *
 * @param mode static lists, a dynamic graph, or the compiler's choice
 * @param rankDone called with each rank as soon as the rank's actions are done, or null. The thread
 *     that finished the actions calls it, so several threads may call it at once
 */
public record CompileOptions(Mode mode, @Nullable IntConsumer rankDone) {

  /** How the actions of a plan get their order. */
  public enum Mode {
    /** Static, unless there are callbacks or the lists would be of very different length. */
    AUTO,
    /** Each worker runs lists whose order is fixed when the plan is compiled. */
    STATIC,
    /** Workers run whatever is ready, and steal from each other. */
    DYNAMIC
  }

  private static final CompileOptions DEFAULTS = new CompileOptions(Mode.AUTO, null);

  /** The compiler's choice, no callback. */
  public static CompileOptions defaults() {
    return DEFAULTS;
  }

  /** The same in another mode; callbacks need the dynamic one. */
  public CompileOptions withMode(Mode newMode) {
    return new CompileOptions(newMode, rankDone);
  }

  /** The same with a callback. */
  public CompileOptions withRankDone(IntConsumer newRankDone) {
    return new CompileOptions(mode, newRankDone);
  }
}
