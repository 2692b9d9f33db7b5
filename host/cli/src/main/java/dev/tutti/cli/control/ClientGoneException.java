package dev.tutti.cli.control;

import java.io.Serial;

/** Ends a command whose client reads no more. Unchecked, because print writers hide the others. */
final class ClientGoneException extends RuntimeException {

  @Serial private static final long serialVersionUID = 1L;

  ClientGoneException(Throwable cause) {
    super("the client is gone", cause);
  }
}
