package dev.tutti.testkit.junit;

import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.util.Objects;

/** Makes executors for tests. */
final class Executors {

  private Executors() {}

  /**
   * A new executor.
   *
   * @throws TuttiException with {@link ErrorCode#INVALID_ARGUMENT} if it cannot be made
   */
  static CollExecutorBase<?> make(Class<?> type) {
    try {
      Constructor<?> constructor = type.getDeclaredConstructor();
      constructor.setAccessible(true);
      return (CollExecutorBase<?>) constructor.newInstance();
    } catch (InvocationTargetException e) {
      throw unfit(type, Objects.requireNonNullElse(e.getCause(), e));
    } catch (ReflectiveOperationException | ClassCastException e) {
      throw unfit(type, e);
    }
  }

  private static TuttiException unfit(Class<?> type, Throwable cause) {
    return new TuttiException(
        ErrorCode.INVALID_ARGUMENT,
        cause,
        "%s cannot be tested: it must be an executor with a constructor without parameters. Actual:"
            + " %s",
        type.getName(),
        cause);
  }

  /**
   * The executor that a test class names as a type argument.
   *
   * @throws TuttiException with {@link ErrorCode#INVALID_ARGUMENT} if it names none
   */
  static CollExecutorBase<?> ofArgument(Class<?> test, Class<?> tck, int index, String method) {
    return make(
        TypeArguments.of(test, tck, index)
            .orElseThrow(
                () ->
                    new TuttiException(
                        ErrorCode.INVALID_ARGUMENT,
                        "%s must say which executor it tests, as in 'class RingTest implements"
                            + " AllReduceTck<RingAllReduce>', or override %s()",
                        test.getName(),
                        method)));
  }
}
