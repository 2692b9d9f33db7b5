package dev.tutti.host.pool.rules;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Everything that is wrong with some rules, so that all of it is told at once. */
final class Problems {

  private final List<String> texts = new ArrayList<>();
  private @Nullable TuttiException first;

  /** Does something that may fail, and notes where it did. */
  void collect(String place, Runnable step) {
    try {
      step.run();
    } catch (TuttiException e) {
      first = first == null ? e : first;
      texts.add(place + ": " + e.getMessage());
    }
  }

  /**
   * Ends if there was any problem.
   *
   * @throws TuttiException with {@link ErrorCode#UNKNOWN_NAME} or {@link
   *     ErrorCode#INVALID_ARGUMENT} if that is what the first one is, else {@link
   *     ErrorCode#INVALID_RULES}
   */
  void throwIfAny() {
    if (first != null) {
      boolean isKept =
          first.code() == ErrorCode.UNKNOWN_NAME || first.code() == ErrorCode.INVALID_ARGUMENT;
      throw new TuttiException(
          isKept ? first.code() : ErrorCode.INVALID_RULES, first, "%s", String.join("; ", texts));
    }
  }
}
