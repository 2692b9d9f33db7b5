package dev.tutti.cli.request;

/**
 * Where the processes of a job meet between the operations that they measure, and tell each other a
 * number. It is none of Tutti's operations, so it needs no plugin, and the group makes no call that
 * the user did not request. All processes must meet equally often. Not thread-safe.
 */
sealed interface JobMeeting extends AutoCloseable permits MemoryMeeting, MessageMeeting {

  /** What is known of the others from elsewhere. */
  interface Peers {

    /** Throws the error that says that one of them can come no more, if that is so. */
    void requireAll();
  }

  /**
   * Waits for all others, and has them know a number.
   *
   * @throws dev.tutti.sdk.TuttiException with code DEADLINE_EXCEEDED if one does not come
   */
  void meet(long number);

  /** What a process said when all met last. */
  long saidBy(int process);

  /** The others need not wait for this process any more. */
  @Override
  void close();
}
