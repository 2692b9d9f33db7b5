package dev.tutti.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** Asserts on refusals: code and exact message. */
public final class Refusal {

  private Refusal() {}

  /** Asserts that a call throws the one exception family with a code and an exact message. */
  public static void assertRefused(ThrowingCallable call, ErrorCode code, String message) {
    TuttiException thrown = refusalOf(call);
    assertThat(thrown.getMessage()).isEqualTo(message);
    assertThat(thrown.code()).isEqualTo(code);
  }

  /** The refusal that a call throws. */
  public static TuttiException refusalOf(ThrowingCallable call) {
    Throwable thrown = catchThrowable(call);
    assertThat(thrown).isInstanceOf(TuttiException.class);
    return (TuttiException) thrown;
  }
}
