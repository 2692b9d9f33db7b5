package dev.tutti.cli.control;

import java.io.Serial;

/**
 * Ends a command whose client no longer reads. Unchecked, because print writers hide checked
 * exceptions.
 */
final class ClientGoneException extends RuntimeException {

  @Serial private static final long serialVersionUID = 1L;

  ClientGoneException(Throwable cause) {
    super("the client is gone", cause);
  }
}
