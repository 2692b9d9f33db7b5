package dev.tutti.engine.machine;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import org.jspecify.annotations.Nullable;

/**
 * The processor that a thread runs on, as the C library of Linux tells it. It is a hint, because
 * the system may move the thread at any time.
 */
public final class CurrentProcessor {

  /** The number where none is known: without Linux, or if this module may not call native code. */
  public static final int UNKNOWN = -1;

  private static final @Nullable MethodHandle CALL = call();

  private CurrentProcessor() {}

  @SuppressWarnings("restricted")
  private static @Nullable MethodHandle call() {
    if (!CurrentProcessor.class.getModule().isNativeAccessEnabled()) {
      return null;
    }
    Linker linker = Linker.nativeLinker();
    return linker
        .defaultLookup()
        .find("sched_getcpu")
        .map(
            function ->
                linker.downcallHandle(
                    function,
                    FunctionDescriptor.of(ValueLayout.JAVA_INT),
                    Linker.Option.critical(false)))
        .orElse(null);
  }

  /**
   * The number of the processor that runs this thread, from 0; {@link #UNKNOWN} if it is not known.
   * Takes some 20 ns.
   */
  public static int number() {
    MethodHandle call = CALL;
    if (call == null) {
      return UNKNOWN;
    }
    try {
      return (int) call.invokeExact();
    } catch (Throwable t) {
      return UNKNOWN;
    }
  }
}
