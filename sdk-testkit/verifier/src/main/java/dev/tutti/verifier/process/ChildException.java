package dev.tutti.verifier.process;

/**
 * Reports that a process gives no answer, and why. The process has ended by then, or never started.
 */
public final class ChildException extends Exception {

  private static final long serialVersionUID = 1L;

  private final Reason reason;

  /** Why there is no answer. */
  public enum Reason {
    /** It could not be started. */
    NOT_STARTED,
    /** It took more processor time than it was given. */
    PROCESSOR_TIME,
    /** It took little processor time and did not end all the same. */
    WALL_CLOCK,
    /** Its heap was full. */
    MEMORY,
    /** It ended by itself. */
    ENDED,
    /** It wrote what is no answer. */
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
