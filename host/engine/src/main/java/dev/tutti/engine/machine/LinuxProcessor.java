package dev.tutti.engine.machine;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * What the C library of Linux tells of a thread's processor. Knows nothing elsewhere, or if this
 * module may not call native code.
 */
final class LinuxProcessor implements CurrentProcessor {

  static final LinuxProcessor INSTANCE = new LinuxProcessor();

  /** The size of a set of processors: 8,192 bits, as many as Linux supports. */
  private static final long SET_BYTES = 1024;

  private static final int THIS_THREAD = 0;

  private static final FunctionDescriptor AFFINITY =
      FunctionDescriptor.of(
          ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG, ValueLayout.ADDRESS);

  private static final @Nullable MethodHandle GET_CPU =
      function(
          "sched_getcpu",
          FunctionDescriptor.of(ValueLayout.JAVA_INT),
          Linker.Option.critical(false));

  private static final @Nullable MethodHandle GET_AFFINITY =
      function("sched_getaffinity", AFFINITY);

  private static final @Nullable MethodHandle SET_AFFINITY =
      function("sched_setaffinity", AFFINITY);

  private LinuxProcessor() {}

  /** A function of the C library; null if it has none, or if this module may not call it. */
  @SuppressWarnings("restricted") // native access is the purpose of this class
  private static @Nullable MethodHandle function(
      String name, FunctionDescriptor types, Linker.Option... options) {
    if (!LinuxProcessor.class.getModule().isNativeAccessEnabled()) {
      return null;
    }
    Linker linker = Linker.nativeLinker();
    return linker
        .defaultLookup()
        .find(name)
        .map(found -> linker.downcallHandle(found, types, options))
        .orElse(null);
  }

  @Override
  public int number() {
    MethodHandle call = GET_CPU;
    if (call == null || Thread.currentThread().isVirtual()) {
      return UNKNOWN;
    }
    try {
      return (int) call.invokeExact();
    } catch (Throwable t) {
      return UNKNOWN;
    }
  }

  @Override
  public BitSet allowed() {
    try (Arena arena = Arena.ofConfined()) {
      return allowed(arena.allocate(SET_BYTES, Long.BYTES));
    }
  }

  /** Reads the processors of this thread into a set; none if they are not known. */
  private static BitSet allowed(MemorySegment set) {
    return call(GET_AFFINITY, set)
        ? BitSet.valueOf(set.toArray(ValueLayout.JAVA_LONG))
        : new BitSet();
  }

  @Override
  public boolean moveTo(int processor) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment before = arena.allocate(SET_BYTES, Long.BYTES);
      if (!allowed(before).get(processor)) {
        return false;
      }
      MemorySegment only = arena.allocate(SET_BYTES, Long.BYTES);
      only.setAtIndex(ValueLayout.JAVA_LONG, processor / Long.SIZE, 1L << processor % Long.SIZE);
      return call(SET_AFFINITY, only) && call(SET_AFFINITY, before);
    }
  }

  /** Calls a function for a set of processors of this thread; false if it fails. */
  private static boolean call(@Nullable MethodHandle function, MemorySegment set) {
    if (function == null || Thread.currentThread().isVirtual()) {
      return false;
    }
    try {
      return (int) function.invokeExact(THIS_THREAD, SET_BYTES, set) == 0;
    } catch (Throwable t) {
      return false;
    }
  }
}
