package dev.tutti.host.buffers;

import java.lang.foreign.MemorySegment;

/**
 * Keeps the interrupt flag of a thread that touches callers' memory as it was. A thread that closes
 * a shared arena makes the JVM interrupt every thread that is at work on the arena's memory. That
 * interrupt was not requested, and it would end the caller's next wait for something else.
 */
public final class InterruptFlag {

  private InterruptFlag() {}

  /** Whether the flag of this thread is set. */
  public static boolean isSet() {
    return Thread.currentThread().isInterrupted();
  }

  /**
   * Clears what the close of an arena has set.
   *
   * @param wasSet whether the flag was set before the memory was touched
   * @param scopes what kept the memory alive
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
      // The flag is set on the carrier, where only a clear that has something to clear gets at it.
      thread.interrupt();
    }
    boolean ignored = Thread.interrupted();
  }
}
