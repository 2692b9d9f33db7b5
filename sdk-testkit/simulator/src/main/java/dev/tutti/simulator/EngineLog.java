package dev.tutti.simulator;

/** Is notified of the events of a simulation, not in the order of time. */
interface EngineLog {

  /** {@code cause} of an action that waited for none. */
  int NO_CAUSE = -1;

  /**
   * An action that moves or combines data.
   *
   * @param record its number in this simulation; a cause has a smaller one
   * @param start when it got what it needs
   * @param cause the action that it waited for last: on its stream, through a notify, or at a port
   */
  void data(int record, int stream, int event, long start, long end, int cause);

  /**
   * The first part of an action that waits in its middle for one that began later; the rest comes
   * with a number of its own.
   */
  default void part(int record, int stream, int event, long start, long end, int cause) {}

  /** A post, and when the signal is there. */
  default void post(int stream, int event, long from, long to) {}

  /** An await of the signal of a post. */
  default void await(int stream, int event, long from, long to, int postStream, int postEvent) {}
}
