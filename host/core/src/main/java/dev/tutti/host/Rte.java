package dev.tutti.host;

import dev.tutti.host.job.JobPlace;
import dev.tutti.sdk.Arguments;
import dev.tutti.sdk.TuttiException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The runtime environment of a host: the ranks in this process, and the way to the other ranks. One
 * per context. Immutable.
 */
public sealed interface Rte permits EmbeddedRte, ProcessRte, MpiRte {

  /** The largest number of ranks of a job, whose ranks are in several processes. */
  int MAX_RANKS = JobPlace.MAX_RANKS;

  /** The largest number of ranks of a job whose processes share the memory of one machine. */
  int MAX_PROCESSES = JobPlace.MAX_PROCESSES;

  /** All ranks are in this JVM, in groups of any size. */
  static Rte embedded() {
    return EmbeddedRte.INSTANCE;
  }

  /**
   * This JVM is one rank of a job whose other ranks are processes of the same machine and user. A
   * launcher usually sets this in the environment; this method is for programs that start the
   * processes themselves.
   *
   * @param rank the rank of this process
   * @param ranks the number of ranks, 1 to {@link #MAX_PROCESSES}
   * @param directory the directory where the processes meet: the same for all, and accessible only
   *     to their user
   * @param token the secret of the job: 32 hexadecimal digits, the same for all
   * @throws TuttiException with INVALID_RANK or INVALID_ARGUMENT if a value is out of its range
   */
  static Rte process(int rank, int ranks, Path directory, String token) {
    Arguments.require(directory, "directory");
    Arguments.require(token, "token");
    return new ProcessRte(new JobPlace(rank, ranks, directory, token));
  }

  /**
   * This JVM is a process of a job that an MPI launcher has started, on any machines. The
   * launcher's environment variables give the number of the process; see {@link #fromEnvironment}.
   * This JVM has the number of ranks that the variable TUTTI_RANKS_PER_PROCESS gives, or one. MPI
   * starts when a context is opened and ends when it is closed. It cannot start again, so a JVM can
   * open one such context only.
   *
   * @param library the MPI library, a file or a name that the system's loader finds; null for the
   *     library that the variable TUTTI_MPI names, or else for one that fits the launcher
   * @throws TuttiException with INVALID_STATE if no launcher has started this JVM; INVALID_RANK or
   *     INVALID_ARGUMENT if the launcher's variables are wrong
   */
  static Rte mpi(@Nullable String library) {
    return MpiRte.required(System.getenv(), null, library);
  }

  /**
   * As {@link #mpi(String)}, with several ranks in this JVM. They share its memory; only data for
   * ranks of other processes goes through MPI. The ranks of a process follow those of the previous
   * process. Processes may have different numbers of ranks.
   *
   * @param library as for {@link #mpi(String)}
   * @param ranksHere the number of ranks of this JVM, at least 1; all JVMs together have at most
   *     {@link #MAX_RANKS}
   * @throws TuttiException as {@link #mpi(String)}
   */
  static Rte mpi(@Nullable String library, int ranksHere) {
    return MpiRte.required(System.getenv(), ranksHere, library);
  }

  /**
   * The runtime environment that the environment variables of this JVM describe, in this order:
   *
   * <ol>
   *   <li>{@link #process} if it has the variables TUTTI_RANK, TUTTI_RANKS, TUTTI_JOB_DIR and
   *       TUTTI_JOB_TOKEN;
   *   <li>{@link #mpi(String)} if a launcher of Open MPI, MPICH, or a step of Slurm has started
   *       this JVM, and the job has two ranks or more;
   *   <li>else {@link #embedded}.
   * </ol>
   *
   * @throws TuttiException with INVALID_RANK or INVALID_ARGUMENT if some of the variables are
   *     missing or wrong
   */
  static Rte fromEnvironment() {
    return JobJoin.rteOf(System.getenv());
  }

  /**
   * The environment variables that make a JVM the rank that {@link #process} describes, for
   * programs that start the processes themselves. The parameters are those of {@link #process}.
   */
  static Map<String, String> environment(int rank, int ranks, Path directory, String token) {
    Arguments.require(directory, "directory");
    Arguments.require(token, "token");
    return new JobPlace(rank, ranks, directory, token).environment();
  }

  /** The stable name: {@code "embedded"}, {@code "processes"} or {@code "mpi"}. */
  String name();

  /** Whether a rank of any group runs in this process. */
  boolean isLocal(int rank);

  /**
   * The number of ranks that every group has, or 0 if groups may have any number. If MPI connects
   * processes with several ranks, ask {@link Context#rte}: before a context is open, the other
   * processes are assumed to have as many ranks as this one.
   */
  int ranks();

  /** The directory where the processes of the job meet; empty if they need none. */
  default Optional<Path> jobDirectory() {
    return Optional.empty();
  }
}
