package dev.tutti.host.planning;

import dev.tutti.host.planning.PlanningOutcome.Failed;
import dev.tutti.host.planning.PlanningOutcome.Refused;
import dev.tutti.plugin.Algorithm;
import dev.tutti.plugin.limit.TimeLimitException;
import dev.tutti.plugin.live.Catalogues;
import dev.tutti.plugin.live.Generation;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Decides what happens to a call if an algorithm fails while the call is planned. If an older
 * version of the plugin takes over, the call is planned again with that version. Otherwise the
 * algorithm is excluded for the whole group in three cases: it does not support the call, its plan
 * breaks a rule, or it was only compared. The last two cases are reported as a defect of the
 * plugin. The caller gets all other failures of the chosen algorithm.
 *
 * <p>It acts between attempts, when no catalogue is held. Confined to one thread.
 */
final class PlanningFailurePolicy {

  private final Catalogues catalogues;
  private final PlanKey key;

  /** Whether the chosen algorithm must not be passed over. */
  private final boolean isStrict;

  private final Map<Algorithm, TuttiException> passedOver = new LinkedHashMap<>();

  PlanningFailurePolicy(Catalogues catalogues, PlanKey key, boolean isStrict) {
    this.catalogues = catalogues;
    this.key = key;
    this.isStrict = isStrict;
  }

  /** The algorithms that the next attempt passes over, with their errors. */
  Map<Algorithm, TuttiException> passedOver() {
    return Collections.unmodifiableMap(passedOver);
  }

  /**
   * Reports algorithms that failed when they were asked whether they accept a call, after another
   * algorithm was found for it. If an older version takes over, it serves from the next call on.
   */
  void tell(List<AlgorithmFailure> unanswered) {
    for (AlgorithmFailure failure : unanswered) {
      if (failure.isDefect() && !isReplaced(failure, true)) {
        catalogues.passedOver(failure.generation(), failure.algorithm(), failure.cause());
      }
    }
  }

  /** The error of a call for which no algorithm can be chosen. */
  TuttiException giveUp(Refused<?> refused) {
    return refused.cause().code() == ErrorCode.UNSUPPORTED
        ? rootOf(refused.cause(), refused.unanswered())
        : refused.cause();
  }

  /**
   * Prepares another attempt.
   *
   * @throws TuttiException the failure, if the caller must get it
   */
  void retryOrThrow(Failed<?> failed) {
    AlgorithmFailure failure = failed.failure();
    boolean isOneOfMany = failure.isOfOneAmongMany() || (!isStrict && failure.isRejected());
    if (failure.isDefect() && isReplaced(failure, isOneOfMany)) {
      return;
    }
    boolean isPassedOver =
        !isStrict && (failure.isUnsupported() || (failure.isDefect() && isOneOfMany));
    if (!isPassedOver || passedOver.put(failure.algorithm(), failure.cause()) != null) {
      throw failure.cause();
    }
    if (failure.isDefect()) {
      catalogues.passedOver(failure.generation(), failure.algorithm(), failure.cause());
    }
  }

  /** Rolls back to an older version if possible; returns whether one serves now. */
  private boolean isReplaced(AlgorithmFailure failure, boolean isOneOfMany) {
    Generation generation = failure.generation();
    if (generation == Generation.PERMANENT || !failure.isFaultOfPlugin()) {
      return false;
    }
    return isOneOfMany
        ? catalogues.comparedPlanFailed(generation, failure.cause())
        : catalogues.planFailed(generation, failure.cause());
  }

  /**
   * The error if all algorithms failed: the time limit if it caused all failures, else the first
   * planning failure other than 'unsupported'.
   */
  private TuttiException rootOf(TuttiException last, List<AlgorithmFailure> unanswered) {
    Collection<TuttiException> failuresToPlan = passedOver.values();
    List<TuttiException> failures =
        Stream.concat(unanswered.stream().map(AlgorithmFailure::cause), failuresToPlan.stream())
            .filter(each -> each.code() != ErrorCode.UNSUPPORTED)
            .toList();
    if (!failures.isEmpty() && failures.stream().allMatch(TimeLimitException.class::isInstance)) {
      return overTime(failures);
    }
    return failuresToPlan.stream().filter(failures::contains).findFirst().orElse(last);
  }

  private TuttiException overTime(List<TuttiException> failures) {
    return new TuttiException(
        ErrorCode.EXECUTOR_FAILED,
        failures.getFirst(),
        "the planning limit ended the choice for %s before any algorithm was planned: %d did not"
            + " answer in time, and no other algorithm takes it; give a longer limit, with"
            + " planningLimit of the context or --planning-limit of a command. The first: %s",
        key.call(),
        failures.size(),
        failures.getFirst().getMessage());
  }
}
