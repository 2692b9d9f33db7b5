package dev.tutti.base.idle;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.time.Duration;

/** Checks and converts deadlines. */
public final class Deadlines {

  private static final Duration LONGEST = Duration.ofDays(365);

  private Deadlines() {}

  /** Refuses a deadline that is not positive. */
  public static Duration check(Duration deadline) {
    if (deadline.isNegative() || deadline.isZero()) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT, "a deadline must be longer than zero. Actual: %s", deadline);
    }
    return deadline;
  }

  /** Nanoseconds, at most a year. */
  public static long nanos(Duration deadline) {
    check(deadline);
    return (deadline.compareTo(LONGEST) > 0 ? LONGEST : deadline).toNanos();
  }
}
