package dev.tutti.host.planning;

import dev.tutti.plugin.Algorithm;
import dev.tutti.plugin.live.Generation;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;

/**
 * The failure of one algorithm while a call was planned.
 *
 * @param algorithm the algorithm that failed
 * @param generation the generation of its plugin
 * @param phase the step in which it failed
 * @param cause the exception
 */
record AlgorithmFailure(
    Algorithm algorithm, Generation generation, PlanningPhase phase, TuttiException cause) {

  /** Whether other algorithms could serve the call, so that the caller need not know. */
  boolean isOfOneAmongMany() {
    return switch (phase) {
      case ANSWERING, COMPARING -> true;
      case PLANNING, JUDGING -> false;
    };
  }

  /** Whether the algorithm found that it does not support the call. */
  boolean isUnsupported() {
    return cause.code() == ErrorCode.UNSUPPORTED;
  }

  /** Whether its plan breaks a rule. */
  boolean isRejected() {
    return cause.code() == ErrorCode.PLUGIN_REJECTED;
  }

  /**
   * Whether neither the caller nor the machine is the cause. The caller did not request an
   * algorithm that is only compared, so any other failure of such an algorithm is a defect of its
   * plugin.
   */
  boolean isDefect() {
    return !isUnsupported()
        && (isFaultOfPlugin()
            || (isOfOneAmongMany()
                && cause.code() != ErrorCode.OUT_OF_MEMORY
                && cause.code() != ErrorCode.INVALID_STATE));
  }

  /** Whether only the plugin can have caused it. */
  boolean isFaultOfPlugin() {
    return switch (cause.code()) {
      case EXECUTOR_FAILED,
          RESOURCE_MISMATCH,
          LINK_MISMATCH,
          DEADLOCK,
          INVALID_PLAN,
          PLAN_TOO_LARGE,
          OUT_OF_BOUNDS,
          PLUGIN_GUARD,
          PLUGIN_REJECTED ->
          true;
      default -> false;
    };
  }
}
