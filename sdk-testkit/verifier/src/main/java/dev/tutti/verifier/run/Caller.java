package dev.tutti.verifier.run;

/**
 * The program around an operation, which owns every rank's input and output before the rank enters,
 * and again after its call has ended. The run calls these methods at those moments, and they may
 * change the rank's buffers.
 */
public interface Caller {

  /** Leaves all buffers alone. */
  Caller IDLE = new Caller() {};

  /** A rank is about to enter the operation. */
  default void enters(int rank) {}

  /** A rank's call has returned with success. */
  default void returns(int rank) {}

  /** A rank's call has ended with an error. */
  default void fails(int rank) {}
}
