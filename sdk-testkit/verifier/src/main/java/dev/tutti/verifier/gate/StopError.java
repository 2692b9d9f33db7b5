package dev.tutti.verifier.gate;

/**
 * The error that stop points throw to end a call. There is one instance, made while there is
 * memory; it has no stack.
 */
final class StopError extends Error {

  private static final long serialVersionUID = 1L;

  @SuppressWarnings("StaticAssignmentOfThrowable") // It has no stack and allocates nothing.
  static final StopError INSTANCE = new StopError();

  private StopError() {
    super("a call into a plugin was ended", null, false, false);
  }
}
