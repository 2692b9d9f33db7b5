package dev.tutti.host.plugin.store;

import java.io.IOException;

/** Is told how far an operation has come. Tests end the process there, or fail in its place. */
@FunctionalInterface
interface Steps {

  /** Nobody is told. */
  Steps NONE = step -> {};

  /** A step has been reached. */
  void reached(Step step) throws IOException;
}
