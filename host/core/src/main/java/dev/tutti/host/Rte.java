package dev.tutti.host;

import dev.tutti.host.job.JobPlace;
import dev.tutti.sdk.Arguments;
import dev.tutti.sdk.TuttiException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * The runtime environment a host runs in: which ranks are here, and how the others are reached. One
 * per context. Immutable.
 */
public sealed interface Rte permits EmbeddedRte, ProcessRte {

  /** The most ranks that are processes of one machine. */
  int MAX_PROCESSES = JobPlace.MAX_RANKS;

  /** All ranks are in this JVM, in groups of any size. */
  static Rte embedded() {
    return EmbeddedRte.INSTANCE;
  }

  /**
   * This JVM is one rank of a job, whose other ranks are processes of the same machine and user. A
   * launcher says so in the environment; this is for programs that start their processes
   * themselves.
   *
   * @param rank the rank of this process
   * @param ranks the number of ranks, 1 to {@link #MAX_PROCESSES}
   * @param directory where the processes meet: the same for all, and open to their user only
   * @param token what they know each other by: 32 hexadecimal digits, the same for all
   * @throws TuttiException with INVALID_RANK or INVALID_ARGUMENT if a value is out of its range
   */
  static Rte process(int rank, int ranks, Path directory, String token) {
    Arguments.require(directory, "directory");
    Arguments.require(token, "token");
    return new ProcessRte(new JobPlace(rank, ranks, directory, token));
  }

  /**
   * What the environment of this JVM says: {@link #process} if it has the variables TUTTI_RANK,
   * TUTTI_RANKS, TUTTI_JOB_DIR and TUTTI_JOB_TOKEN, else {@link #embedded}.
   *
   * @throws TuttiException with INVALID_RANK or INVALID_ARGUMENT if it has some of them, or wrong
   *     ones
   */
  static Rte fromEnvironment() {
    return ProcessRte.of(name -> name == null ? null : System.getenv(name));
  }

  /**
   * The environment variables that make a JVM such a rank, for programs that start their processes
   * themselves; parameters as for {@link #process}.
   */
  static Map<String, String> environment(int rank, int ranks, Path directory, String token) {
    Arguments.require(directory, "directory");
    Arguments.require(token, "token");
    return new JobPlace(rank, ranks, directory, token).environment();
  }

  /** The stable name: {@code "embedded"} or {@code "processes"}. */
  String name();

  /** Whether a rank of any group runs in this process. */
  boolean isLocal(int rank);

  /** The number of ranks that every group has, or 0 if groups may have any. */
  int ranks();

  /** The directory where the processes of the job meet; empty if all ranks are in this one. */
  default Optional<Path> jobDirectory() {
    return Optional.empty();
  }
}
