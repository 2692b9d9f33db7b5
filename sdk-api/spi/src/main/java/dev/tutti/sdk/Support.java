package dev.tutti.sdk;

/**
 * Whether an algorithm accepts a request.
 *
 * @param isSupported the answer
 * @param reason why not, as a clause such as {@code "needs a power of two ranks. Actual: 6"}; empty
 *     if supported
 */
public record Support(boolean isSupported, String reason) {

  private static final Support YES = new Support(true, "");

  /** Checks that a refusal has a reason. */
  public Support {
    Arguments.require(reason, "reason");
    if (!isSupported && reason.isBlank()) {
      throw new TuttiException(ErrorCode.INVALID_ARGUMENT, "a refusal must give its reason");
    }
  }

  /** The request is accepted. */
  public static Support yes() {
    return YES;
  }

  /** The request is refused. */
  public static Support no(String reason) {
    Arguments.require(reason, "reason");
    return new Support(false, reason);
  }

  /** Yes if the condition holds, otherwise a refusal with the reason. */
  public static Support when(boolean condition, String reason) {
    Arguments.require(reason, "reason");
    return condition ? YES : no(reason);
  }

  /** This answer if it is a refusal, otherwise the other one: the first refusal wins. */
  public Support and(Support other) {
    Arguments.require(other, "other");
    return isSupported ? other : this;
  }
}
