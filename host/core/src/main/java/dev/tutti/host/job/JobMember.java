package dev.tutti.host.job;

/**
 * Who a process is in its job.
 *
 * @param rank the rank
 * @param size the number of ranks of the job
 * @param token what the processes know each other by
 * @param machine where the process runs: the same text for all processes of a machine, and for no
 *     others
 */
record JobSeat(int rank, int size, String token, String machine) {

  /** Without the token, which is nobody else's business. */
  @Override
  public String toString() {
    return "rank " + rank + " of " + size + " on " + machine;
  }
}
