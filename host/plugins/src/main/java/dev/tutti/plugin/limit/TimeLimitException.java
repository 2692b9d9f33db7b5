package dev.tutti.plugin.limit;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;

/** Plugin code did not return in time. */
public final class TimeLimitException extends TuttiException {

  private static final long serialVersionUID = 1L;

  TimeLimitException(String what, String breach, String left) {
    super(
        ErrorCode.EXECUTOR_FAILED,
        "%s %s; is there an endless loop? If not, give a longer planning limit%s",
        what,
        breach,
        left);
  }
}
