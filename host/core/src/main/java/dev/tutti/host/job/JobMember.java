package dev.tutti.host.job;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The identity of one process in its job.
 *
 * @param rank the rank
 * @param size the number of ranks of the job
 * @param token the secret by which the processes of the job recognise each other
 * @param machine where the process runs: the same text for all processes of a machine, and for no
 *     others
 */
record JobMember(int rank, int size, String token, String machine) {

  /** Holds the host name on Linux. */
  private static final Path HOSTNAME = Path.of("/proc/sys/kernel/hostname");

  /** The identity of this process. */
  static JobMember here(int rank, int size, String token) {
    return new JobMember(rank, size, token, hostName());
  }

  /** The name of this machine. */
  private static String hostName() {
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

  /** Without the token, which is nobody else's business. */
  @Override
  public String toString() {
    return "rank " + rank + " of " + size + " on " + machine;
  }
}
