package dev.tutti.host.config;

import dev.tutti.engine.trace.RunTrace;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.util.function.Consumer;

/**
 * Which runs are traced, and the listener for their traces.
 *
 * @param everyNth traces each n-th run of a group, 1 or more
 * @param listener gets the traces
 */
public record ProfileSettings(int everyNth, Consumer<RunTrace> listener) {

  /** Checks the range. */
  public ProfileSettings {
    if (everyNth < 1) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT,
          "a profile traces every n-th run, and n must be 1 or more. Actual: %d",
          everyNth);
    }
  }
}
