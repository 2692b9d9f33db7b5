package dev.tutti.host.buffers;

import java.lang.foreign.MemorySegment;

/**
 * Restores the interrupt flag of a thread that touches callers' memory. If a thread closes a shared
 * arena, the JVM interrupts every thread that is working on the arena's memory. The application did
 * not request that interrupt, and it would end the thread's next, unrelated wait.
 */
public final class InterruptFlag {

  private InterruptFlag() {}

  /** Whether the flag of this thread is set. */
  public static boolean isSet() {
    return Thread.currentThread().isInterrupted();
  }

  /**
   * Clears the flag if closing an arena has set it.
   *
   * @param wasSet whether the flag was set before the memory was touched
   * @param scopes the scopes that kept the memory alive
   */
  public static void restore(boolean wasSet, MemorySegment.Scope... scopes) {
    Thread thread = Thread.currentThread();
    if (wasSet || !(thread.isInterrupted() || thread.isVirtual())) {
      return;
    }
    for (MemorySegment.Scope scope : scopes) {
      if (!scope.isAlive()) {
        clear(thread);
        return;
      }
    }
  }

  private static void clear(Thread thread) {
    if (thread.isVirtual()) {
      // The flag is set on the carrier thread. Clearing reaches the carrier only if the virtual
      // thread's own flag is set.
      thread.interrupt();
    }
    boolean ignored = Thread.interrupted();
  }
}
