package dev.tutti.plugin.store;

import java.io.IOException;
import java.io.UncheckedIOException;

/** Is notified of the progress of a change. Tests end the process there, or fail in its place. */
@FunctionalInterface
public interface Steps {

  /** No listener. */
  Steps NONE = step -> {};

  /** A step has been reached. */
  void reached(Step step) throws IOException;

  /** A step has been reached where no file can fail. */
  default void passed(Step step) {
    try {
      reached(step);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
