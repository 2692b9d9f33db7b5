package dev.tutti.host.pool.rules;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Collects all problems of a set of rules, so that they are reported together. */
final class Problems {

  private final List<String> texts = new ArrayList<>();
  private @Nullable TuttiException first;

  /** Runs a step, and notes its place and its error if it fails. */
  void collect(String place, Runnable step) {
    try {
      step.run();
    } catch (TuttiException e) {
      first = first == null ? e : first;
      texts.add(place + ": " + e.getMessage());
    }
  }

  /**
   * Throws if there was any problem.
   *
   * @throws TuttiException with {@link ErrorCode#UNKNOWN_NAME} or {@link
   *     ErrorCode#INVALID_ARGUMENT} if the first problem has this code, else {@link
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
