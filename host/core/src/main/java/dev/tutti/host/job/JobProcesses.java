package dev.tutti.host.job;

/**
 * The processes of a job, by rank.
 *
 * @param own the rank of this process
 * @param numbers what their machines call them
 * @param machines their machines: the same text for all processes of one, and for no others
 */
record JobProcesses(int own, long[] numbers, String[] machines) {

  /** Whether the process of a rank is on this machine. */
  boolean isHere(int rank) {
    return machines[rank].equals(machines[own]);
  }

  /** Whether the process of a rank has ended, as far as this machine knows. */
  boolean hasEnded(int rank) {
    return isHere(rank) && !ProcessState.of(numbers[rank]).isAlive();
  }

  /** The process of a rank, and what is special about it, in words. */
  String describe(int rank) {
    return isHere(rank)
        ? ProcessState.of(numbers[rank]).describe(numbers[rank])
        : "process " + numbers[rank] + " of " + machines[rank];
  }
}
