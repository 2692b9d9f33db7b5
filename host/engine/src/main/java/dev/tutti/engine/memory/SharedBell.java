package dev.tutti.engine.memory;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Locale;

/**
 * Puts threads to sleep on words of shared memory, and wakes those of other processes, with the
 * futex of Linux. It needs a machine for which the number of this call is known; see {@link
 * #isAvailable}.
 */
public final class SharedBell {

  private static final long FUTEX_WAIT = 0;
  private static final long FUTEX_WAKE = 1;
  private static final long NANOS = 1_000_000_000;
  private static final MemoryLayout TIME =
      MemoryLayout.structLayout(ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG);

  private static final long NUMBER = number();
  private static final MethodHandle SYSCALL = syscall();

  private SharedBell() {}

  private static long number() {
    return switch (System.getProperty("os.arch", "").toLowerCase(Locale.ROOT)) {
      case "amd64", "x86_64" -> 202;
      case "aarch64", "riscv64" -> 98;
      default -> -1;
    };
  }

  @SuppressWarnings("restricted")
  private static MethodHandle syscall() {
    Linker linker = Linker.nativeLinker();
    ValueLayout.OfLong word = ValueLayout.JAVA_LONG;
    return linker.downcallHandle(
        linker.defaultLookup().findOrThrow("syscall"),
        FunctionDescriptor.of(
            word, word, ValueLayout.ADDRESS, word, word, ValueLayout.ADDRESS, word, word),
        Linker.Option.firstVariadicArg(1));
  }

  /** Whether threads can be woken; if not, {@link #await} must not be used. */
  public static boolean isAvailable() {
    return NUMBER >= 0;
  }

  /** Memory for the time of one sleeping thread. */
  public static MemorySegment newTime() {
    return Arena.ofAuto().allocate(TIME);
  }

  /**
   * Sleeps until the word is rung, at most for a time, and not at all if the word has another
   * value. May end early. An interrupt does not end it.
   *
   * @param word four bytes of shared memory
   * @param time memory for the time
   */
  public static void await(MemorySegment word, int value, long nanos, MemorySegment time) {
    time.set(ValueLayout.JAVA_LONG, 0, nanos / NANOS);
    time.set(ValueLayout.JAVA_LONG, Long.BYTES, nanos % NANOS);
    try {
      long ignored =
          (long) SYSCALL.invokeExact(NUMBER, word, FUTEX_WAIT, (long) value, time, 0L, 0L);
    } catch (Throwable t) {
      throw failed(t);
    }
  }

  /** Wakes the threads that sleep on a word. */
  public static void ring(MemorySegment word) {
    try {
      long ignored =
          (long)
              SYSCALL.invokeExact(
                  NUMBER, word, FUTEX_WAKE, (long) Integer.MAX_VALUE, MemorySegment.NULL, 0L, 0L);
    } catch (Throwable t) {
      throw failed(t);
    }
  }

  private static TuttiException failed(Throwable t) {
    return new TuttiException(ErrorCode.UNSUPPORTED, t, "futex could not be called: %s", t);
  }
}
