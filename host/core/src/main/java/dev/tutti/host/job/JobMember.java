package dev.tutti.host.job;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The identity of one process in its job.
 *
 * @param process the number of the process, from 0
 * @param processes the number of processes of the job
 * @param ranks the number of ranks of this process
 * @param token the secret by which the processes of the job recognise each other
 * @param machine the machine of the process: the same text for all processes of a machine, and for
 *     no others
 */
record JobMember(int process, int processes, int ranks, String token, String machine) {

  /** Checks the number of ranks. */
  JobMember {
    if (ranks < 1 || ranks > JobPlace.MAX_RANKS) {
      throw new TuttiException(
          ErrorCode.INVALID_RANK,
          "a process of a job has 1 to %d ranks. Actual: %d",
          JobPlace.MAX_RANKS,
          ranks);
    }
  }

  /** The file that holds the host name on Linux. */
  private static final Path HOSTNAME = Path.of("/proc/sys/kernel/hostname");

  /** The identity of this process. */
  static JobMember here(int process, int processes, int ranks, String token) {
    return new JobMember(process, processes, ranks, token, hostName());
  }

  /** The name of this machine. */
  static String hostName() {
    try {
      return Files.readString(HOSTNAME).strip();
    } catch (IOException e) {
      try {
        return InetAddress.getLocalHost().getHostName();
      } catch (UnknownHostException unknown) {
        return "localhost";
      }
    }
  }

  /** Without the token, which must stay secret. */
  @Override
  public String toString() {
    return "process " + process + " of " + processes + " on " + machine + ", ranks " + ranks;
  }
}
