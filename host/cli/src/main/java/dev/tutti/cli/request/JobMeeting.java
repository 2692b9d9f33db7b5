package dev.tutti.cli.request;

/**
 * A meeting of a job's processes between measured operations, in which they exchange a number. It
 * is not one of Tutti's operations, so it needs no plugin, and the group makes no call that the
 * user did not request. All processes must meet the same number of times. Not thread-safe.
 */
sealed interface JobMeeting extends AutoCloseable permits MemoryMeeting, MessageMeeting {

  /** Other knowledge about the other processes. */
  interface Peers {

    /** Throws an error if one of the processes can no longer come. */
    void requireAll();
  }

  /**
   * Waits for all others, and sends them a number.
   *
   * @throws dev.tutti.sdk.TuttiException with code DEADLINE_EXCEEDED if one does not come
   */
  void meet(long number);

  /** The number of a process at the last meeting. */
  long saidBy(int process);

  /** Leaves the meetings: the others no longer wait for this process. */
  @Override
  void close();
}
