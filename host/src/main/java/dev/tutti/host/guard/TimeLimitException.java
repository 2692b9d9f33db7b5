package dev.tutti.host.guard;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;

/** Tells that plugin code did not return in time. */
public final class TimeLimitException extends TuttiException {

  private static final long serialVersionUID = 1L;

  TimeLimitException(String what, String limit, String where) {
    super(
        ErrorCode.EXECUTOR_FAILED,
        "%s did not finish in %s%s; is there an endless loop? If not, give a longer planning limit",
        what,
        limit,
        where);
  }
}
