package dev.tutti.verifier.gate;

/**
 * The error that stop points throw to end a call. There is one instance, made before memory is
 * short; its stack is never read.
 */
final class StopError extends Error {

  private static final long serialVersionUID = 1L;

  @SuppressWarnings("StaticAssignmentOfThrowable") // It has no stack, and needs no memory.
  static final StopError INSTANCE = new StopError();

  private StopError() {
    super("a call into a plugin was ended", null, false, false);
  }
}
