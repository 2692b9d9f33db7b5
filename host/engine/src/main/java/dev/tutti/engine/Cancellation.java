package dev.tutti.engine;

/**
 * Decides whether a run must end early. Every thread that works on the run asks it between tasks.
 * Once the answer for a run is yes, it stays yes until that run has ended.
 */
@FunctionalInterface
public interface Cancellation {

  /** Lets every run finish. */
  Cancellation NEVER = () -> false;

  /** Whether the run under way must end. */
  boolean isRequested();
}
