package dev.tutti.cli.request;

/**
 * A meeting of a job's processes between measured operations: each sends a number to all others. It
 * is not one of Tutti's operations, so it needs no plugin, and the group makes no call that the
 * user did not request. All processes must meet the same number of times. Not thread-safe.
 */
sealed interface JobMeeting extends AutoCloseable permits MemoryMeeting, MessageMeeting {

  /** Knows from another source whether the other processes can still take part. */
  interface Peers {

    /** Throws an exception if one of the processes can no longer take part. */
    void requireAll();
  }

  /**
   * Sends a number to all other processes, and waits for theirs.
   *
   * @throws dev.tutti.sdk.TuttiException with code DEADLINE_EXCEEDED if one does not arrive in time
   */
  void meet(long number);

  /** The number that a process sent at the last meeting. */
  long saidBy(int process);

  /** Leaves the meetings: the others no longer wait for this process. */
  @Override
  void close();
}
