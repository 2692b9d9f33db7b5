package dev.tutti.simulator;

/** Receives the events of a simulation, not in the order of time. */
interface EngineLog {

  /** {@code cause} of an action that waited for none. */
  int NO_CAUSE = -1;

  /**
   * An action that moves or combines data.
   *
   * @param record its number in this simulation; a cause has a smaller one
   * @param start when it got the resources that it needs
   * @param cause the action that it waited for last: on its stream, through a notify, or at a port
   */
  void data(int record, int stream, int event, long start, long end, int cause);

  /**
   * The first part of an action that waits in its middle for an action that began later. The rest
   * has its own record number.
   */
  default void part(int record, int stream, int event, long start, long end, int cause) {}

  /** A post at {@code from}, whose signal arrives at {@code to}. */
  default void post(int stream, int event, long from, long to) {}

  /** An await of the signal of a post. */
  default void await(int stream, int event, long from, long to, int postStream, int postEvent) {}
}
