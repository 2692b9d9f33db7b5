package dev.tutti.verifier.process;

/**
 * Reports that a child process gives no answer, and why. The process has ended or never started.
 */
public final class ChildException extends Exception {

  private static final long serialVersionUID = 1L;

  private final Reason reason;

  /** Why there is no answer. */
  public enum Reason {
    /** It could not be started. */
    NOT_STARTED,
    /** It used more processor time than its limit. */
    PROCESSOR_TIME,
    /** It used little processor time, but did not end. */
    WALL_CLOCK,
    /** Its heap was full. */
    MEMORY,
    /** It ended by itself. */
    ENDED,
    /** It wrote something that is not an answer. */
    GARBLED
  }

  ChildException(Reason reason, String message) {
    super(message);
    this.reason = reason;
  }

  /** Why there is no answer. */
  public Reason reason() {
    return reason;
  }
}
