package dev.tutti.cli.options;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import org.jspecify.annotations.Nullable;

/**
 * The name of a request: an operation, or one algorithm of it, as in {@code allreduce/ring}.
 *
 * @param algorithm the algorithm; null for the best one
 */
public record RequestName(OperationName operation, @Nullable String algorithm) {

  /** The most common operation. */
  public static final RequestName ALL_REDUCE = of("allreduce");

  /**
   * Parses a request.
   *
   * @throws TuttiException with {@link ErrorCode#UNKNOWN_NAME} if it does not begin with an
   *     operation
   */
  public static RequestName of(String text) {
    int slash = text.indexOf('/');
    if (slash >= 0) {
      OperationName operation = OperationName.of(text.substring(0, slash));
      return new RequestName(operation, text.substring(slash + 1));
    }
    try {
      return new RequestName(OperationName.of(text), null);
    } catch (TuttiException e) {
      throw new TuttiException(
          e.code(),
          "%s; an algorithm goes with its operation, as in allreduce/ring",
          e.getMessage());
    }
  }
}
