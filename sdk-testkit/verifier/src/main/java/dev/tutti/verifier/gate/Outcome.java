package dev.tutti.verifier.gate;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of a call through a {@link Gate}. It references no object of the plugin, unless the
 * body returned one.
 */
public sealed interface Outcome<T> {

  /** The body has returned. */
  record Returned<T>(@Nullable T value) implements Outcome<T> {}

  /**
   * The body has thrown.
   *
   * @param copy a copy of the throwable, made under the limits of the call
   * @param isOutOfMemory whether the throwable was an {@link OutOfMemoryError}
   */
  record Threw<T>(RuntimeException copy, boolean isOutOfMemory) implements Outcome<T> {}

  /**
   * The call broke a limit.
   *
   * @param breach the limit
   * @param stacks the stacks of the call's threads, the worker first
   * @param isLeftRunning whether the call could not be stopped
   */
  record Stopped<T>(Breach breach, List<StackTraceElement[]> stacks, boolean isLeftRunning)
      implements Outcome<T> {

    /** Takes an immutable copy. */
    public Stopped {
      stacks = List.copyOf(stacks);
    }
  }
}
