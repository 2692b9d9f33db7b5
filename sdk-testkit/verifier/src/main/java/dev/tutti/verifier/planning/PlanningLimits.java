package dev.tutti.verifier.planning;

import dev.tutti.plan.PlanRecorder;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import dev.tutti.verifier.gate.GateLimits;
import java.time.Duration;

/**
 * The limits of planning one operation for all ranks. Immutable.
 *
 * @param maxTime processor time of the planning threads, over all calls to the executor
 * @param maxWait wall time, for code that waits and uses no processor; much longer than {@code
 *     maxTime}
 * @param maxBytes bytes of heap that the planning threads allocate, freed or not; no limit on a
 *     platform that does not count them
 * @param maxActions actions of one rank
 */
public record PlanningLimits(Duration maxTime, Duration maxWait, long maxBytes, int maxActions) {

  /** Ten seconds, 4 GiB, and {@link PlanRecorder#DEFAULT_MAX_ACTIONS} actions. */
  public static final PlanningLimits DEFAULT =
      new PlanningLimits(Duration.ofSeconds(10), 4L << 30, PlanRecorder.DEFAULT_MAX_ACTIONS);

  /** Checks the ranges. */
  public PlanningLimits {
    if (!maxTime.isPositive() || !maxWait.isPositive() || maxBytes <= 0 || maxActions <= 0) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT,
          "limits of planning must be greater than 0. Actual: time=%s, bytes=%d, actions=%d",
          maxTime,
          maxBytes,
          maxActions);
    }
  }

  /** Limits with the {@linkplain GateLimits#netOf usual limit} on wall time. */
  public PlanningLimits(Duration maxTime, long maxBytes, int maxActions) {
    this(maxTime, GateLimits.netOf(maxTime), maxBytes, maxActions);
  }

  GateLimits ofCalls() {
    return new GateLimits(maxTime, maxWait, maxBytes);
  }
}
