package dev.tutti.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** Assertions about coded errors. */
public final class Errors {

  private Errors() {}

  /** Runs what must fail with a code, and returns the message. */
  public static String message(ErrorCode code, ThrowingCallable call) {
    TuttiException thrown = catchThrowableOfType(TuttiException.class, call);
    assertThat(thrown).as("an error with code %s", code).isNotNull();
    assertThat(thrown.code()).as(thrown.getMessage()).isEqualTo(code);
    return thrown.getMessage();
  }
}
