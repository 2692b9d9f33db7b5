package dev.tutti.host.planning;

import dev.tutti.sdk.TuttiException;
import java.util.List;
import java.util.function.Function;

/**
 * The outcome of an attempt to plan a call.
 *
 * @param <T> the type of the result
 */
sealed interface PlanningOutcome<T> {

  /**
   * The failures of algorithms that were asked whether they accept the call; these algorithms are
   * excluded.
   */
  List<AlgorithmFailure> unanswered();

  /** The attempt succeeded. */
  record Chosen<T>(T value, List<AlgorithmFailure> unanswered) implements PlanningOutcome<T> {}

  /** An algorithm failed. */
  record Failed<T>(AlgorithmFailure failure, List<AlgorithmFailure> unanswered)
      implements PlanningOutcome<T> {}

  /** There is no algorithm to choose, or the call is wrong; no algorithm of the choice failed. */
  record Refused<T>(TuttiException cause, List<AlgorithmFailure> unanswered)
      implements PlanningOutcome<T> {}

  /** The outcome of the next step, or of this one if it has ended the attempt. */
  default <U> PlanningOutcome<U> then(Function<T, PlanningOutcome<U>> next) {
    return switch (this) {
      case Chosen<T> chosen -> next.apply(chosen.value());
      case Failed<T> failed -> new Failed<>(failed.failure(), failed.unanswered());
      case Refused<T> refused -> new Refused<>(refused.cause(), refused.unanswered());
    };
  }
}
