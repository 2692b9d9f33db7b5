package dev.tutti.plugin.live;

import dev.tutti.base.text.Sentence;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import org.jspecify.annotations.Nullable;

/** Decides which failures make the host roll back from a version to the previous one. */
final class TrialFailure {

  private TrialFailure() {}

  /** Why a failed or rejected plan ends the service of a version; null if it does not. */
  static @Nullable String ofPlan(Generation generation, TuttiException failure) {
    if (failure.code() == ErrorCode.PLUGIN_REJECTED) {
      return reason(generation, "one of its plans was judged wrong", failure);
    }
    return generation.isOnTrial()
        ? reason(generation, "one of its first plans failed", failure)
        : null;
  }

  /** Why a failed run ends the service of a version; null if it does not. */
  static @Nullable String ofRun(Generation generation, TuttiException failure) {
    return generation.isOnTrial()
        ? reason(generation, "a run of one of its first plans failed", failure)
        : null;
  }

  private static @Nullable String reason(
      Generation generation, String what, TuttiException failure) {
    return generation == Generation.PERMANENT
        ? null
        : Sentence.of(
            "%s: [%s] %s", what, failure.code().id(), Sentence.firstLine(failure.getMessage()));
  }
}
