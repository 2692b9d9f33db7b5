package dev.tutti.plugin.link;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;

/**
 * Bounds the work and the memory that the class files of one jar can cause: every loop over their
 * contents spends steps. The same jar always uses the same number of steps. Not thread-safe.
 */
final class Effort {

  /** The steps for a jar: more than 20,000 ordinary classes need, and some seconds of work. */
  static final long STEPS = 20_000_000;

  private long left = STEPS;

  /**
   * Spends some steps.
   *
   * @throws TuttiException with {@link ErrorCode#PLUGIN_LINK} if none are left
   */
  void spend(long steps) {
    left -= steps;
    if (left < 0) {
      throw new TuttiException(
          ErrorCode.PLUGIN_LINK,
          "its class files refer to each other in so many ways that they cannot be checked in %d"
              + " steps; leave out what the plugin does not need",
          STEPS);
    }
  }
}
