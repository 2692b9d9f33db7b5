package dev.tutti.host;

import dev.tutti.host.job.Job;
import dev.tutti.host.job.JobPlace;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * This JVM has one rank or several. Every other rank is in a JVM on this or another machine, and
 * MPI carries the data. Until a context has joined the other processes, each of them is assumed to
 * have as many ranks as this one.
 *
 * @param process the number of this process, from 0
 * @param processes the number of processes
 * @param first the first rank of this process
 * @param ranksHere the number of ranks of this process
 * @param ranks the number of all ranks
 * @param library the MPI library, or null to search for one
 */
record MpiRte(
    int process, int processes, int first, int ranksHere, int ranks, @Nullable String library)
    implements Rte {

  /** The environment variable for the number of ranks of each process, unless a program sets it. */
  static final String RANKS_PER_PROCESS = "TUTTI_RANKS_PER_PROCESS";

  /**
   * The variables of a launcher: the number of the process, and the number of processes.
   *
   * @param step a third variable, without which the others mean nothing; null if there is none
   */
  private record Launcher(String process, String processes, @Nullable String step) {}

  /** Slurm sets its variables in a batch script, too, but the script is not a process of a job. */
  private static final List<Launcher> LAUNCHERS =
      List.of(
          new Launcher("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", null),
          new Launcher("PMI_RANK", "PMI_SIZE", null),
          new Launcher("MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE", null),
          new Launcher("PMIX_RANK", "SLURM_STEP_NUM_TASKS", "SLURM_STEP_ID"),
          new Launcher("SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "SLURM_STEP_ID"));

  /** A process that knows only the number of its own ranks. */
  static MpiRte of(int process, int processes, int ranksHere, @Nullable String library) {
    if (processes < 1 || processes > MAX_RANKS || process < 0 || process >= processes) {
      throw new TuttiException(
          ErrorCode.INVALID_RANK,
          "a job over MPI has 1 to %d processes, numbered from 0. Actual: process %d of %d",
          MAX_RANKS,
          process,
          processes);
    }
    if (ranksHere < 1 || ranksHere > MAX_RANKS) {
      throw new TuttiException(
          ErrorCode.INVALID_RANK,
          "a process of a job over MPI has 1 to %d ranks. Actual: %d",
          MAX_RANKS,
          ranksHere);
    }
    return new MpiRte(
        process, processes, process * ranksHere, ranksHere, processes * ranksHere, library);
  }

  /**
   * The process that a launcher describes; null if there is no launcher, or the job has only one
   * rank.
   *
   * @param ranksHere the number of ranks of this process; null to read it from the environment
   */
  static @Nullable MpiRte of(
      Map<String, String> environment, @Nullable Integer ranksHere, @Nullable String library) {
    MpiRte found = any(environment, ranksHere, library);
    return found == null || found.ranks < 2 ? null : found;
  }

  /** The process that a launcher describes; refuses a process without a launcher. */
  static MpiRte required(
      Map<String, String> environment, @Nullable Integer ranksHere, @Nullable String library) {
    MpiRte found = any(environment, ranksHere, library);
    if (found == null) {
      throw new TuttiException(
          ErrorCode.INVALID_STATE,
          "no MPI launcher has started this process; start it with mpirun or srun");
    }
    return found;
  }

  private static @Nullable MpiRte any(
      Map<String, String> environment, @Nullable Integer ranksHere, @Nullable String library) {
    for (Launcher each : LAUNCHERS) {
      String process = environment.get(each.process());
      String processes = environment.get(each.processes());
      boolean isInStep = each.step() == null || environment.containsKey(each.step());
      if (process != null && processes != null && isInStep) {
        return of(
            JobPlace.number(each.process(), process),
            JobPlace.number(each.processes(), processes),
            ranksHere == null ? ranksOf(environment) : ranksHere,
            library);
      }
    }
    return null;
  }

  private static int ranksOf(Map<String, String> environment) {
    String ranks = environment.get(RANKS_PER_PROCESS);
    return ranks == null ? 1 : JobPlace.number(RANKS_PER_PROCESS, ranks);
  }

  /** The same environment once all processes have joined. */
  MpiRte joined(Job job) {
    return new MpiRte(process, processes, job.rank(), ranksHere, job.size(), library);
  }

  @Override
  public String name() {
    return "mpi";
  }

  @Override
  public boolean isLocal(int rank) {
    return rank >= first && rank < first + ranksHere;
  }
}
