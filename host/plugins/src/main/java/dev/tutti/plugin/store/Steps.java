package dev.tutti.plugin.store;

import java.io.IOException;
import java.io.UncheckedIOException;

/** Receives the progress of a change. Tests end the process at a step, or throw there. */
@FunctionalInterface
public interface Steps {

  /** No listener. */
  Steps NONE = step -> {};

  /** A step has been reached. */
  void reached(Step step) throws IOException;

  /** A step has been reached at which no file operation can fail. */
  default void passed(Step step) {
    try {
      reached(step);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
