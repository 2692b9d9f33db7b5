package dev.tutti.host.watch;

import dev.tutti.base.listener.ListenerFailure;
import dev.tutti.host.status.OperationObserver;
import dev.tutti.host.status.OperationObserver.Observation;
import dev.tutti.host.status.RunFacts;
import org.jspecify.annotations.Nullable;

/** One operation that an observer observes. If the observer fails, the operation continues. */
public final class Observed {

  private final Observation observation;

  private Observed(Observation observation) {
    this.observation = observation;
  }

  /**
   * Notifies an observer that an operation begins.
   *
   * @param known the known facts about the operation
   * @param rank the rank that starts it, or {@link OperationObserver#ALL_RANKS}
   * @return null if no observation needs the end
   */
  public static @Nullable Observed begin(OperationObserver observer, RunFacts known, int rank) {
    try {
      Observation observation = observer.begin(known, rank);
      return observation == null ? null : new Observed(observation);
    } catch (Throwable t) {
      ListenerFailure.report(t);
      return null;
    }
  }

  /**
   * Notifies the observer that the operation has ended.
   *
   * @param failure the exception that the caller gets, or null
   */
  public void end(RunFacts facts, @Nullable Throwable failure) {
    try {
      observation.end(facts, failure);
    } catch (Throwable t) {
      ListenerFailure.report(t);
    }
  }
}
