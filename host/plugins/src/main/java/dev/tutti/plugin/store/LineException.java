package dev.tutti.plugin.store;

/** A line of the journal is whole, but this host does not understand it. */
final class LineException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  LineException(String message) {
    super(message);
  }
}
