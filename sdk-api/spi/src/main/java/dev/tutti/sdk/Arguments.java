package dev.tutti.sdk;

import org.jspecify.annotations.Nullable;

/** Refuses null. No public method here accepts null, unless its parameter is {@link Nullable}. */
public final class Arguments {

  private Arguments() {}

  /**
   * Refuses null.
   *
   * @param value an argument
   * @param name the parameter
   * @throws TuttiException with {@link ErrorCode#INVALID_ARGUMENT} that names the parameter
   */
  public static void require(@Nullable Object value, String name) {
    if (value == null) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT, "%s must not be null; give a value", name);
    }
  }
}
