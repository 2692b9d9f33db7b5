package dev.tutti.verifier.gate;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of a call through a {@link Gate}. It holds no object of the plugin, unless the body
 * has returned one.
 */
public sealed interface Outcome<T> {

  /** The body has returned. */
  record Returned<T>(@Nullable T value) implements Outcome<T> {}

  /**
   * The body has thrown.
   *
   * @param copy what it threw, copied under the limits of the call
   * @param isOutOfMemory whether that was an {@link OutOfMemoryError}
   */
  record Threw<T>(RuntimeException copy, boolean isOutOfMemory) implements Outcome<T> {}

  /**
   * A limit was broken.
   *
   * @param breach the limit
   * @param stacks where the threads of the call were, the one that ran the body first
   * @param isLeftRunning whether it could not be stopped
   */
  record Stopped<T>(Breach breach, List<StackTraceElement[]> stacks, boolean isLeftRunning)
      implements Outcome<T> {

    /** Takes an immutable copy. */
    public Stopped {
      stacks = List.copyOf(stacks);
    }
  }
}
