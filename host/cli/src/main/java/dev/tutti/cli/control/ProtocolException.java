package dev.tutti.cli.control;

import java.io.IOException;

/** The other side sent invalid data; the message describes the problem. */
final class ProtocolException extends IOException {

  private static final long serialVersionUID = 1L;

  ProtocolException(String message) {
    super(message);
  }
}
