package dev.tutti.cli.control;

import java.io.IOException;

/** What the other side sent cannot be understood; the message says what is wrong. */
final class ProtocolException extends IOException {

  private static final long serialVersionUID = 1L;

  ProtocolException(String message) {
    super(message);
  }
}
