package dev.tutti.engine.mpi;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * The handlers of the signals that the JVM needs, saved at one time. If a library replaces one of
 * them, an ordinary null check of Java code can end the process.
 */
final class JvmSignals {

  /** SIGILL, SIGTRAP, SIGBUS, SIGFPE and SIGSEGV of Linux. */
  private static final int[] NUMBERS = {4, 5, 7, 8, 11};

  /** More than the size of a {@code struct sigaction}. */
  private static final long ACTION_BYTES = 256;

  private static final FunctionDescriptor TYPE =
      FunctionDescriptor.of(
          ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG);

  private final MethodHandle sigaction;
  private final MemorySegment actions;

  private JvmSignals(MethodHandle sigaction, MemorySegment actions) {
    this.sigaction = sigaction;
    this.actions = actions;
  }

  /**
   * Saves the current handlers.
   *
   * @param arena allocates them
   */
  static JvmSignals now(Arena arena) {
    JvmSignals signals =
        new JvmSignals(
            SystemLoader.function("sigaction", TYPE),
            arena.allocate(NUMBERS.length * ACTION_BYTES, 16));
    for (int i = 0; i < NUMBERS.length; i++) {
      signals.call(NUMBERS[i], 0, signals.action(i));
    }
    return signals;
  }

  /** Restores the saved handlers. */
  void restore() {
    for (int i = 0; i < NUMBERS.length; i++) {
      call(NUMBERS[i], action(i), 0);
    }
  }

  private long action(int index) {
    return actions.address() + index * ACTION_BYTES;
  }

  private void call(int signal, long set, long old) {
    try {
      if ((int) sigaction.invokeExact(signal, set, old) != 0) {
        throw new TuttiException(ErrorCode.RUN_FAILED, "sigaction refuses signal %d", signal);
      }
    } catch (Throwable t) {
      throw MpiLibrary.failed("sigaction", t);
    }
  }
}
