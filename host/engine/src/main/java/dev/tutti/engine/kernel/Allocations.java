package dev.tutti.engine.kernel;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import org.jspecify.annotations.Nullable;

/** Counts what the current thread allocates. */
final class Allocations {

  private static final @Nullable ThreadMXBean COUNTER = counter();

  /** Whether the JVM counts allocations. */
  static final boolean ARE_COUNTED = COUNTER != null;

  private Allocations() {}

  /** The bytes that this thread has allocated so far; always 0 if the JVM does not count them. */
  static long ofThread() {
    return COUNTER == null ? 0 : COUNTER.getCurrentThreadAllocatedBytes();
  }

  private static @Nullable ThreadMXBean counter() {
    try {
      return ManagementFactory.getThreadMXBean() instanceof ThreadMXBean counting
              && counting.isThreadAllocatedMemorySupported()
              && counting.isThreadAllocatedMemoryEnabled()
          ? counting
          : null;
    } catch (LinkageError e) {
      // The module of this class is optional in a runtime.
      return null;
    }
  }
}
