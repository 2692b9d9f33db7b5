package dev.tutti.engine;

/**
 * Says whether a run is to end early. Asked by every thread that works on the run, between its
 * tasks; once it says yes for a run, it goes on saying yes until that run has ended.
 */
@FunctionalInterface
public interface Cancellation {

  /** Lets every run go to its end. */
  Cancellation NEVER = () -> false;

  /** Whether the run under way is to end. */
  boolean isRequested();
}
