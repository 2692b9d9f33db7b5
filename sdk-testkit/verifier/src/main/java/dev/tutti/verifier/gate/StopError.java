package dev.tutti.verifier.gate;

/**
 * What stop points throw to end a call. There is one, made before memory is short; nobody reads its
 * stack.
 */
final class StopError extends Error {

  private static final long serialVersionUID = 1L;

  @SuppressWarnings("StaticAssignmentOfThrowable") // It has no stack, and is thrown without memory.
  static final StopError INSTANCE = new StopError();

  private StopError() {
    super("a call into a plugin was ended", null, false, false);
  }
}
