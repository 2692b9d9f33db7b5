package dev.tutti.plugin.limit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.host.Errors;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import dev.tutti.verifier.gate.GateLimits;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

final class TimeLimitTest {

  private final TimeLimit limit = new TimeLimit(Duration.ofSeconds(30));

  @Test
  void returnsWhatTheBodyReturns() {
    assertThat(limit.call("it", () -> "value")).isEqualTo("value");
  }

  @Test
  void keepsCodedErrorsAndCodesTheOthers() {
    assertThat(
            Errors.message(
                ErrorCode.OUT_OF_BOUNDS,
                () ->
                    limit.call(
                        "it",
                        () -> {
                          throw new TuttiException(ErrorCode.OUT_OF_BOUNDS, "too far");
                        })))
        .isEqualTo("too far");
    assertThat(
            Errors.message(
                ErrorCode.EXECUTOR_FAILED,
                () ->
                    limit.call(
                        "it",
                        () -> {
                          throw new StackOverflowError();
                        })))
        .isEqualTo("it failed: java.lang.StackOverflowError");
    assertThat(Errors.message(ErrorCode.EXECUTOR_FAILED, () -> limit.call("it", () -> null)))
        .isEqualTo("it returned null");
  }

  @Test
  void takesWhatIsThrownWhoseMethodsThrow() {
    Supplier<String> body =
        () -> {
          throw new Unreadable();
        };
    String expected = "it failed: " + Unreadable.class.getName() + ": (its message cannot be read)";
    assertThat(Errors.message(ErrorCode.EXECUTOR_FAILED, () -> limit.call("it", body)))
        .isEqualTo(expected);
  }

  private static final class Unreadable extends RuntimeException {
    private static final long serialVersionUID = 1L;

    @Override
    public String getMessage() {
      throw new NoClassDefFoundError("org/example/Text");
    }

    @Override
    public synchronized Throwable getCause() {
      throw new IllegalStateException("none");
    }
  }

  @Test
  void givesUpAndInterruptsABodyThatGoesOnTooLong() throws InterruptedException {
    CountDownLatch isInterrupted = new CountDownLatch(1);
    assertThat(
            Errors.message(
                ErrorCode.EXECUTOR_FAILED,
                () ->
                    new TimeLimit(
                            new GateLimits(
                                Duration.ofSeconds(30), Duration.ofMillis(1500), 1 << 30),
                            false)
                        .call(
                            "it",
                            () -> {
                              try {
                                new CountDownLatch(1).await();
                              } catch (InterruptedException e) {
                                isInterrupted.countDown();
                              }
                              return "late";
                            })))
        .startsWith("it did not finish in 1500 ms and used the processor for only ")
        .contains(" ms; it seems to wait for something; it is at ");
    isInterrupted.await();
  }

  @Test
  void keepsAnInterruptForTheCaller() {
    Thread.currentThread().interrupt();
    assertThat(limit.call("it", () -> "value")).isEqualTo("value");
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void waitsForAsLongAsAnyDurationSays() {
    TimeLimit longest = new TimeLimit(Duration.ofSeconds(Long.MAX_VALUE));
    assertThat(longest.call("it", () -> "value")).isEqualTo("value");
  }

  @Test
  void needsALimit() {
    Errors.message(ErrorCode.INVALID_ARGUMENT, () -> new TimeLimit(Duration.ZERO));
  }
}
